import FleetEngineToken

/// What a token is for, by its private claims alone.
package struct TokenPurpose: Hashable, Sendable {
    /// The kinds with these claims; some differ only in the role of the account that signs.
    package let kinds: [TokenKind]
    /// What the token is restricted to, such as `trip "t-1"`; escaped for a terminal.
    package let subject: String

    /// The rows of the table in FleetEngineContract.md, "Kinds of tokens".
    private static let table: [(forms: [PrivateClaimName: AuthorizationClaim.Form], kinds: [TokenKind])] = [
        ([.tripID: .specific], [.consumer]),
        ([.vehicleID: .specific], [.driver]),
        ([.tripID: .wildcard, .vehicleID: .wildcard], [.server]),
        ([.deliveryVehicleID: .specific], [.untrustedDeliveryDriver, .trustedDeliveryDriver]),
        ([.deliveryVehicleID: .specific, .taskID: .specific], [.trustedDeliveryDriver]),
        ([.trackingID: .specific], [.deliveryConsumer]),
        ([.taskID: .specific], [.deliveryConsumer]),
        ([.taskIDs: .specific], [.taskBatch]),
        ([.taskIDs: .wildcard], [.taskBatch]),
        (
            [.taskID: .wildcard, .trackingID: .wildcard, .deliveryVehicleID: .wildcard],
            [.deliveryServer, .deliveryFleetReader]
        ),
        (
            [
                .tripID: .wildcard, .vehicleID: .wildcard, .taskID: .wildcard, .trackingID: .wildcard,
                .deliveryVehicleID: .wildcard,
            ], [.fleetReader]
        ),
    ]

    /// Nil if no row of the table has these claims.
    init?(_ claims: [PrivateClaimName: AuthorizationClaim]) {
        let forms = claims.mapValues(\.form)
        guard let row = Self.table.first(where: { $0.forms == forms }) else { return nil }
        kinds = row.kinds
        subject = PrivateClaimName.allCases.compactMap { name in claims[name].map(name.phrase) }
            .joined(separator: " and ")
    }

    /// For example: a driver token for vehicle "v-1"; the account needs roles/fleetengine.driverSdkUser.
    package var sentence: String {
        let names = kinds.map { $0.rawValue.replacing("_", with: " ") }.joined(separator: " or ")
        let article = kinds.first == .untrustedDeliveryDriver ? "an" : "a"
        return "\(article) \(names) token for \(subject); \(need)"
    }

    private var need: String {
        let roles = kinds.compactMap(\.role)
        guard !roles.isEmpty else {
            return "the role that the account needs is not documented, and never an admin role"
        }
        return "the account needs \(roles.joined(separator: " or "))"
    }
}

extension PrivateClaimName {
    private static let maxShown = 5

    /// The claim with its value, such as `trip "t-1"` or `every trip`.
    fileprivate func phrase(_ value: AuthorizationClaim) -> String {
        switch value {
        case .wildcard: return "every \(noun)"
        case .id(let id): return "\(noun) \(Quoted.text(id))"
        case .ids(let ids):
            let shown = ids.prefix(Self.maxShown).map(Quoted.text).joined(separator: ", ")
            let rest = ids.count > Self.maxShown ? " and \(ids.count - Self.maxShown) more" : ""
            return "\(ids.count == 1 ? noun : noun + "s") \(shown)\(rest)"
        }
    }

    private var noun: String {
        switch self {
        case .tripID: "trip"
        case .vehicleID: "vehicle"
        case .deliveryVehicleID: "delivery vehicle"
        case .taskID, .taskIDs: "task"
        case .trackingID: "tracking id"
        }
    }
}
