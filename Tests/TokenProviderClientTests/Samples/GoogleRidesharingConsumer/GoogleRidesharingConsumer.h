// The published declarations: GMTCAuthorization in the iOS reference of the Consumer SDK on
// developers.google.com/maps/documentation/mobility.
#import <Foundation/Foundation.h>

typedef void (^GMTCAuthTokenFetchCompletionHandler)(NSString *_Nullable, NSError *_Nullable);

@interface GMTCAuthorizationContext : NSObject
@property(nonatomic, readonly) NSString *_Nonnull tripID;
@end

@protocol GMTCAuthorization <NSObject>
- (void)fetchTokenWithContext:(nullable GMTCAuthorizationContext *)authorizationContext
                   completion:(nonnull GMTCAuthTokenFetchCompletionHandler)completion;
@end
