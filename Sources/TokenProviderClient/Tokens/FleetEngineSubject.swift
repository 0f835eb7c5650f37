import Foundation

/// What a token is for: one trip, vehicle, delivery vehicle, task or parcel.
///
/// Ids are sent byte for byte as you give them. The server accepts 1 to 64 characters in Unicode Normalization Form C,
/// without `/`, `:`, `?`, `,`, `#` and control characters; otherwise the error is ``TokenProviderError/rejected(_:)``
/// with the code `invalid_id`.
public struct FleetEngineSubject: Sendable, Hashable {
    /// The kind of token that the server gives for it.
    public let kind: FleetEngineTokenKind

    /// The query that asks for it; two ids are the same only if their bytes are.
    let query: String

    /// One trip, for a rider's app; the kind is ``FleetEngineTokenKind/consumer``.
    public static func trip(_ id: String) -> FleetEngineSubject {
        FleetEngineSubject(kind: .consumer, [("tripID", id)])
    }

    /// One vehicle, for a driver's app; the kind is ``FleetEngineTokenKind/driver``.
    public static func vehicle(_ id: String) -> FleetEngineSubject {
        FleetEngineSubject(kind: .driver, [("vehicleID", id)])
    }

    /// One delivery vehicle, for a driver's app; the kind is ``FleetEngineTokenKind/untrustedDeliveryDriver``.
    public static func deliveryVehicle(_ id: String) -> FleetEngineSubject {
        FleetEngineSubject(kind: .untrustedDeliveryDriver, [("deliveryVehicleID", id)])
    }

    /// One delivery vehicle and one of its tasks, for a trusted driver's app; the kind is
    /// ``FleetEngineTokenKind/trustedDeliveryDriver``.
    public static func deliveryVehicle(_ id: String, task: String) -> FleetEngineSubject {
        FleetEngineSubject(kind: .trustedDeliveryDriver, [("deliveryVehicleID", id), ("taskID", task)])
    }

    /// One task, for a recipient's app; the kind is ``FleetEngineTokenKind/deliveryConsumer``.
    public static func task(_ id: String) -> FleetEngineSubject {
        FleetEngineSubject(kind: .deliveryConsumer, [("taskID", id)])
    }

    /// One tracking id, for a recipient's app; the kind is ``FleetEngineTokenKind/deliveryConsumer``.
    public static func tracking(_ id: String) -> FleetEngineSubject {
        FleetEngineSubject(kind: .deliveryConsumer, [("trackingID", id)])
    }

    private init(kind: FleetEngineTokenKind, _ parameters: [(name: String, id: String)]) {
        self.kind = kind
        query = parameters.map { "\($0.name)=\(Self.encoded($0.id))" }.joined(separator: "&")
    }

    /// Percent-encoded but for unreserved characters (RFC 3986 section 2.3), since servers read a `+` in two ways.
    private static func encoded(_ id: String) -> String {
        var text = ""
        for byte in id.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }
}
