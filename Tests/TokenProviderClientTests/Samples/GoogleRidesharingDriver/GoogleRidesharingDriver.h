// The published declarations:
// https://developers.google.com/maps/documentation/mobility/driver-sdk/scheduled/reference/ios/Protocols/GMTDAuthorization
#import <Foundation/Foundation.h>

typedef NSString GMTDFleetEngineIDString;

typedef void (^GMTDAuthTokenFetchCompletionHandler)(NSString *_Nullable, NSError *_Nullable);

@interface GMTDAuthorizationContext : NSObject
@property(nonatomic, readonly) GMTDFleetEngineIDString *_Nonnull vehicleID;
@property(nonatomic, readonly, nullable) GMTDFleetEngineIDString *taskID;
@end

@protocol GMTDAuthorization <NSObject>
- (void)fetchTokenWithContext:(nullable GMTDAuthorizationContext *)authorizationContext
                   completion:(nonnull GMTDAuthTokenFetchCompletionHandler)completion;
@end
