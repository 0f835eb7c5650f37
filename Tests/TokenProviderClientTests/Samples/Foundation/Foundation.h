// As much of Foundation as the samples need, to check their syntax where there is no Objective-C.
typedef signed char BOOL;

@interface NSObject
+ (instancetype)new;
@end

@protocol NSObject
@end

@interface NSObject () <NSObject>
@end

@interface NSString : NSObject
@end

@interface NSError : NSObject
@end

@interface NSConstantString : NSString
@end
