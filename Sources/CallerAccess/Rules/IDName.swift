import FleetEngineToken

/// An id that a token may be restricted to, by its name in requests and rules.
package enum IDName: String, CaseIterable, Sendable {
    case tripID, vehicleID, deliveryVehicleID, trackingID, taskID, taskIDs
}

extension TokenKind {
    /// The ids of which its tokens always name one; none for a wildcard.
    var mainIDNames: [IDName] {
        switch self {
        case .consumer: [.tripID]
        case .driver: [.vehicleID]
        case .untrustedDeliveryDriver, .trustedDeliveryDriver: [.deliveryVehicleID]
        case .deliveryConsumer: [.trackingID, .taskID]
        case .taskBatch: [.taskIDs]
        case .server, .deliveryServer, .deliveryFleetReader, .fleetReader: []
        }
    }

    /// All the ids that its tokens may name.
    var idNames: [IDName] {
        self == .trustedDeliveryDriver ? mainIDNames + [.taskID] : mainIDNames
    }
}
