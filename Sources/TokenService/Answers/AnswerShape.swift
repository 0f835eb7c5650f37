import FleetEngineToken
import ServiceConfiguration

/// The members of one answer: the token's names, and the times.
struct AnswerShape: Sendable {
    /// A time in an answer; every expiration is the signed one less the client margin.
    enum Time: Sendable {
        /// The expiration in seconds since the epoch.
        case expiration
        /// The seconds until the expiration, never negative.
        case secondsLeft
        /// The expiration in milliseconds since the epoch.
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

    /// A vehicle's token has both names: the driver samples read its own, older clients the trip's.
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
