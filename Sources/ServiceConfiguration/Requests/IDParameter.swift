import FleetEngineToken

/// What an id in a request is the id of, by the name that documentation and sentences use.
package enum IDParameter: String, CaseIterable {
    case tripID, vehicleID, deliveryVehicleID, trackingID, taskID, taskIDs

    package var name: String { rawValue }

    /// What one id stands for.
    package func claims(_ id: FleetEngineID) -> PrivateClaims {
        switch self {
        case .tripID: .trip(id)
        case .vehicleID: .vehicle(id)
        case .deliveryVehicleID: .untrustedDeliveryVehicle(id)
        case .trackingID: .trackingID(id)
        case .taskID: .task(id)
        case .taskIDs: .tasks(TaskBatch(id))
        }
    }
}
