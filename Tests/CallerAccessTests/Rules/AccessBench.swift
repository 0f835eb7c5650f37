import CallerAccess
import FleetEngineToken
import StrictJSON

/// Callers and wanted tokens for tests of rules.
enum AccessBench {
    static let issuer = "https://id.example"

    /// A caller whose token has the claims of a JSON text.
    static func driver(_ claims: String = "{}", issuer: String = issuer) throws -> Principal {
        guard case .object(let members) = try JSONValue(parsing: Array(claims.utf8)) else { throw NotObject() }
        return Principal(name: "driver-7", source: .jwt(issuer: issuer), claims: members, expiresAt: nil)
    }

    static func server(_ name: String = "billing") -> Principal {
        Principal(name: name, source: .apiKey(name: name), claims: nil, expiresAt: nil)
    }

    static func id(_ text: String) throws -> FleetEngineID { try FleetEngineID(text) }

    static func batch(_ texts: [String]) throws -> PrivateClaims {
        .tasks(try TaskBatch(texts.map { try FleetEngineID($0) }))
    }

    /// A token of each kind and form.
    static func everyToken() throws -> [PrivateClaims] {
        let (one, two) = (try id("one"), try id("two"))
        return [
            .trip(one), .vehicle(one), .untrustedDeliveryVehicle(one), .trustedDeliveryVehicle(one, task: nil),
            .trustedDeliveryVehicle(one, task: two), .trackingID(one), .task(one), try batch(["one", "two"]),
            .everyTask, .server, .deliveryServer, .deliveryFleetReader, .fleetReader,
        ]
    }

    private struct NotObject: Error {}
}

extension AccessPolicy {
    /// The rule that allows the caller the token; nil if it is denied.
    func rule(_ principal: Principal, _ wanted: PrivateClaims) -> String? {
        guard case .allowed(let rule) = decide(principal, wanted) else { return nil }
        return rule
    }

    /// Why the caller is denied the token; nothing if it is allowed.
    func reasons(_ principal: Principal, _ wanted: PrivateClaims) -> [String] {
        guard case .denied(let denials) = decide(principal, wanted) else { return [] }
        return denials.map { $0.sentence() }
    }

    /// The same with the ids that are missing, as `explain` shows it.
    func explanations(_ principal: Principal, _ wanted: PrivateClaims) -> [String] {
        guard case .denied(let denials) = decide(principal, wanted) else { return [] }
        return denials.map { $0.sentence { ReceivedValue.text($0) } }
    }
}
