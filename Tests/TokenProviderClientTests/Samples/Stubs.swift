// What the samples of the documentation import besides Foundation and the client, with the published signatures:
// GMTDAuthorization and GMTCAuthorization in the iOS references of the Driver SDK and the Consumer SDK on
// developers.google.com/maps/documentation/mobility, Auth and User on firebase.google.com/docs/reference/swift.
import Foundation

protocol GMTDAuthorization: NSObjectProtocol {
    func fetchToken(with authorizationContext: GMTDAuthorizationContext?) async throws -> String
}

class GMTDAuthorizationContext: NSObject {
    var vehicleID: String { "" }
    var taskID: String? { nil }
}

protocol GMTCAuthorization: NSObjectProtocol {
    func fetchToken(with authorizationContext: GMTCAuthorizationContext?) async throws -> String
}

class GMTCAuthorizationContext: NSObject {
    var tripID: String { "" }
}

class Auth: NSObject {
    class func auth() -> Auth { Auth() }
    var currentUser: User? { nil }
}

class User: NSObject {
    func getIDToken() async throws -> String { "" }
    func getIDTokenResult(forcingRefresh: Bool) async throws -> AuthTokenResult { AuthTokenResult() }
}

class AuthTokenResult: NSObject {
    var token: String { "" }
}
