import FleetEngineToken
import ServiceConfiguration

/// The shapes in which published clients read a token (CONTRACT.md section 2), by the names that `format=` takes.
package enum AnswerFormat: String, CaseIterable, Sendable {
    /// Google's samples in "Get authorization tokens", Swift and Objective-C: the query routes' shape.
    case sdk
    /// The on-demand sample apps and the React Native driver SDK.
    case onDemand = "on_demand"
    /// The last-mile sample apps.
    case lastMile = "last_mile"
    /// The `authTokenFetcher` of the JavaScript SDKs.
    case javascript
    /// The samples of the Android documentation.
    case android

    /// Every name, for sentences.
    static let names = allCases.map(\.rawValue).joined(separator: ", ")

    /// The shape of the path routes of a kind: what the apps that call them read.
    init(pathOf kind: TokenKind) {
        switch kind {
        case .consumer, .driver, .server: self = .onDemand
        default: self = .lastMile
        }
    }
}

/// What a body is rendered as: a format, and for the SDK's how the expiry is told.
enum AnswerForm: Int, CaseIterable, Sendable {
    case sdkAbsolute, sdkRelative, onDemand, lastMile, javascript, android

    init(_ format: AnswerFormat, _ expiration: Configuration.Answer.Expiration) {
        switch format {
        case .sdk: self = expiration == .absolute ? .sdkAbsolute : .sdkRelative
        case .onDemand: self = .onDemand
        case .lastMile: self = .lastMile
        case .javascript: self = .javascript
        case .android: self = .android
        }
    }

    /// Whether the body is another one with every second.
    var isRelative: Bool { self == .sdkRelative || self == .javascript }
}

/// The members of one answer: the names the token stands under, and the times beside it.
struct AnswerShape: Sendable {
    /// A time that clients are told; every expiry is the signed one less the client margin.
    enum Time: Sendable {
        /// The expiry in seconds since the epoch.
        case expiration
        /// The seconds until the expiry, never negative.
        case secondsLeft
        /// The expiry in milliseconds since the epoch.
        case expirationMilliseconds
        /// The signed `iat` in milliseconds since the epoch.
        case creationMilliseconds
    }

    let tokenNames: [String]
    let times: [(name: String, time: Time)]

    /// The one table of shapes.
    init(_ form: AnswerForm, of kind: TokenKind, names: Configuration.Answer) {
        switch form {
        case .sdkAbsolute:
            self.init(AnswerShape.sdkNames(kind, names), [(names.expirationKey, .expiration)])
        case .sdkRelative:
            self.init(AnswerShape.sdkNames(kind, names), [(names.expirationKey, .secondsLeft)])
        case .onDemand:
            // The React Native SDK's example reads "jwt" here, its migration guide "token".
            self.init(
                ["jwt", "token"],
                [("creationTimestamp", .creationMilliseconds), ("expirationTimestamp", .expirationMilliseconds)])
        case .lastMile:
            // No camel case beside these: it collides with them in the iOS app's decoder.
            let times: [(String, Time)] = [
                ("creation_timestamp_ms", .creationMilliseconds), ("expiration_timestamp_ms", .expirationMilliseconds),
            ]
            self.init(["token"], times)
        case .javascript:
            self.init(["token"], [("expiresInSeconds", .secondsLeft)])
        case .android:
            let name = kind.isForVehicle ? "VehicleServiceToken" : "ServiceToken"
            self.init([name], [("TokenExpiryMs", .expirationMilliseconds)])
        }
    }

    private init(_ tokenNames: [String], _ times: [(name: String, time: Time)]) {
        self.tokenNames = tokenNames
        self.times = times
    }

    /// A vehicle's token stands under both names: the driver samples read its own, older clients the trip's.
    private static func sdkNames(_ kind: TokenKind, _ names: Configuration.Answer) -> [String] {
        guard kind.isForVehicle, names.vehicleTokenKey != names.tripTokenKey else { return [names.tripTokenKey] }
        return [names.vehicleTokenKey, names.tripTokenKey]
    }
}

extension TokenKind {
    /// Whether its tokens are for a driver's app.
    fileprivate var isForVehicle: Bool {
        switch self {
        case .driver, .untrustedDeliveryDriver, .trustedDeliveryDriver: true
        default: false
        }
    }
}
