import FleetEngineToken

/// What kind of id a request names, by the name that documentation and messages use.
package enum IDParameter: String, CaseIterable {
    case tripID, vehicleID, deliveryVehicleID, trackingID, taskID, taskIDs

    package var name: String { rawValue }

    /// The claims of one id.
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
