import Foundation

/// A Fleet Engine token: a secret that opens one trip, vehicle, task or parcel until it expires.
///
/// Its text appears in ``string`` only. Descriptions, `dump` and reflection leave it out, so that it stays out of logs.
public struct FleetEngineAccessToken: Sendable, Hashable {
    /// The token (a JWT) as Google's SDKs expect it.
    public let string: String

    /// When the client stops handing it out, by this device's clock.
    ///
    /// It is the server's `TOKEN_EXPIRATION`, which lies before the token's own end by the server's margin (60 s unless
    /// configured otherwise). A device whose clock is wrong gets the time that its own clock will show then.
    public let expiry: Date

    /// What the token allows.
    public let kind: FleetEngineTokenKind

    /// The same token, if the device's clock was set by so many seconds since it arrived.
    func moved(by seconds: TimeInterval) -> FleetEngineAccessToken {
        FleetEngineAccessToken(string: string, expiry: expiry.addingTimeInterval(seconds), kind: kind)
    }
}

extension FleetEngineAccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind and the expiry, without the token.
    public var description: String { "FleetEngineAccessToken(\(kind.rawValue), expiry: \(expiry))" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// The kind and the expiry, without the token.
    public var customMirror: Mirror { Mirror(self, children: ["kind": kind.rawValue, "expiry": expiry]) }
}

/// What a token allows, by the server's name for it.
public struct FleetEngineTokenKind: Sendable, Hashable, RawRepresentable {
    /// The server's name, such as `driver`.
    public let rawValue: String

    /// A kind by the server's name for it.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A rider's token for one trip.
    public static let consumer = FleetEngineTokenKind(rawValue: "consumer")

    /// A driver's token for one vehicle.
    public static let driver = FleetEngineTokenKind(rawValue: "driver")

    /// A delivery driver's token for one vehicle.
    public static let untrustedDeliveryDriver = FleetEngineTokenKind(rawValue: "untrusted_delivery_driver")

    /// A delivery driver's token for one vehicle and one task.
    public static let trustedDeliveryDriver = FleetEngineTokenKind(rawValue: "trusted_delivery_driver")

    /// A recipient's token for one task or tracking id.
    public static let deliveryConsumer = FleetEngineTokenKind(rawValue: "delivery_consumer")
}
