// The declarations of Foundation and Dispatch that the Objective-C samples use, as Apple documents them.
typedef _Bool BOOL;
typedef long NSInteger;
typedef unsigned long NSUInteger;
typedef double NSTimeInterval;
#define nil ((void *)0)
#define NO ((BOOL)0)
#define MIN(A, B) ((A) < (B) ? (A) : (B))
#define MAX(A, B) ((A) > (B) ? (A) : (B))
#define NSEC_PER_SEC 1000000000ull

__attribute__((objc_root_class))
@interface NSObject
+ (Class)class;
+ (instancetype)new;
- (BOOL)isKindOfClass:(Class)kind;
@end
@interface NSString : NSObject
@property(readonly) double doubleValue;
- (NSString *)stringByAppendingString:(NSString *)text;
@end
@interface NSNumber : NSObject
@property(readonly) double doubleValue;
@end
@interface NSConstantString : NSString
@end
@interface NSData : NSObject
@end
@interface NSDate : NSObject
@property(readonly) NSTimeInterval timeIntervalSinceNow;
@property(readonly) NSTimeInterval timeIntervalSince1970;
+ (instancetype)date;
+ (instancetype)dateWithTimeIntervalSinceNow:(NSTimeInterval)seconds;
@end
@protocol NSCopying
@end
@interface NSArray<__covariant Element> : NSObject
+ (instancetype)arrayWithObjects:(const id[])objects count:(NSUInteger)count;
- (NSUInteger)countByEnumeratingWithState:(void *)state objects:(id __unsafe_unretained[])objects count:(NSUInteger)count;
@end
@interface NSMutableArray<Element> : NSArray<Element>
+ (instancetype)arrayWithObject:(Element)object;
- (void)addObject:(Element)object;
@end
@interface NSDictionary<__covariant Key, __covariant Value> : NSObject
@property(readonly) NSArray<Value> *allValues;
+ (instancetype)dictionaryWithObjects:(const id[])objects forKeys:(const id[])keys count:(NSUInteger)count;
- (Value)objectForKeyedSubscript:(Key)key;
@end
@interface NSMutableDictionary<Key, Value> : NSDictionary<Key, Value>
- (void)setObject:(Value)object forKeyedSubscript:(Key)key;
- (void)removeObjectForKey:(Key)key;
@end
@interface NSError : NSObject
+ (instancetype)errorWithDomain:(NSString *)domain code:(NSInteger)code userInfo:(NSDictionary *)info;
@end
@interface NSURL : NSObject
+ (instancetype)URLWithString:(NSString *)text;
@end
@interface NSURLQueryItem : NSObject
+ (instancetype)queryItemWithName:(NSString *)name value:(NSString *)value;
@end
@interface NSURLComponents : NSObject
@property(copy) NSArray<NSURLQueryItem *> *queryItems;
@property(readonly) NSURL *URL;
+ (instancetype)componentsWithString:(NSString *)text;
@end
@interface NSURLRequest : NSObject
@end
@interface NSMutableURLRequest : NSURLRequest
+ (instancetype)requestWithURL:(NSURL *)url;
- (void)setValue:(NSString *)value forHTTPHeaderField:(NSString *)field;
@end
@interface NSURLResponse : NSObject
@end
@interface NSHTTPURLResponse : NSURLResponse
@property(readonly) NSInteger statusCode;
- (NSString *)valueForHTTPHeaderField:(NSString *)field;
@end
@interface NSURLSessionDataTask : NSObject
- (void)resume;
@end
@interface NSURLSession : NSObject
@property(class, readonly) NSURLSession *sharedSession;
- (NSURLSessionDataTask *)dataTaskWithRequest:(NSURLRequest *)request
                            completionHandler:(void (^)(NSData *data, NSURLResponse *response, NSError *error))handler;
@end
@interface NSJSONSerialization : NSObject
+ (id)JSONObjectWithData:(NSData *)data options:(NSUInteger)options error:(NSError **)error;
@end
extern NSString *const NSURLErrorDomain;
enum { NSURLErrorCancelled = -999, NSURLErrorUserAuthenticationRequired = -1013 };

typedef NSObject *dispatch_queue_t;
typedef unsigned long long dispatch_time_t;
#define DISPATCH_TIME_NOW 0ull
dispatch_queue_t dispatch_get_main_queue(void);
dispatch_time_t dispatch_time(dispatch_time_t when, long long nanoseconds);
void dispatch_async(dispatch_queue_t queue, void (^block)(void));
void dispatch_after(dispatch_time_t when, dispatch_queue_t queue, void (^block)(void));

// The interface that an app gives the sample.
@interface VehicleTokens : NSObject
@property(copy) NSString *base;
@property(copy) void (^credentials)(BOOL fresh, void (^handler)(NSString *token));
@end
