import FleetEngineToken

/// What the tokens are for with which `doctor` asks Fleet Engine: an id that does not exist, or everything.
struct DoctorSubject: Sendable {
    let claims: PrivateClaims
    /// The resource below the provider, such as `trips/ID`.
    let resource: String

    /// The claims of a kind with this id, and the resource that they allow to read.
    init(_ kind: TokenKind, _ id: FleetEngineID) throws(TaskBatchError) {
        let collection: String
        switch kind {
        case .consumer: (claims, collection) = (.trip(id), "trips")
        case .driver: (claims, collection) = (.vehicle(id), "vehicles")
        case .untrustedDeliveryDriver: (claims, collection) = (.untrustedDeliveryVehicle(id), "deliveryVehicles")
        case .trustedDeliveryDriver: (claims, collection) = (.trustedDeliveryVehicle(id, task: nil), "deliveryVehicles")
        case .deliveryConsumer: (claims, collection) = (.trackingID(id), "taskTrackingInfo")
        case .taskBatch: (claims, collection) = (.tasks(try TaskBatch([id])), "tasks")
        case .server: (claims, collection) = (.server, "trips")
        case .deliveryServer: (claims, collection) = (.deliveryServer, "tasks")
        case .deliveryFleetReader: (claims, collection) = (.deliveryFleetReader, "deliveryVehicles")
        case .fleetReader: (claims, collection) = (.fleetReader, "trips")
        }
        resource = "\(collection)/\(id.text)"
    }
}

extension TokenKind {
    /// Whether its role allows to read what its tokens name. That of task batches may only write tasks (Google's list
    /// of Fleet Engine's roles and permissions).
    var roleMayRead: Bool { self != .taskBatch }
}
