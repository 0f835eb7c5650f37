/// The private claims (RFC 7519 section 4.3) in a token's `authorization` member: what Fleet Engine lets its bearer see.
/// The cases are exactly the rows of CONTRACT.md's table, so no token can have a combination that Fleet Engine refuses, or
/// another kind's claims.
package enum PrivateClaims: Hashable, Sendable {
    /// One trip: a consumer token.
    case trip(FleetEngineID)
    /// One vehicle: a driver token.
    case vehicle(FleetEngineID)
    /// One delivery vehicle: an untrusted delivery driver token.
    case untrustedDeliveryVehicle(FleetEngineID)
    /// One delivery vehicle, and optionally one task: a trusted delivery driver token.
    // Only this case has two ids. As an indirect case it leaves the enumeration as small as one id.
    indirect case trustedDeliveryVehicle(FleetEngineID, task: FleetEngineID?)
    /// One shipment, by its tracking id: a delivery consumer token.
    case trackingID(FleetEngineID)
    /// One task: a delivery consumer token.
    case task(FleetEngineID)
    /// Several tasks: a task batch token.
    case tasks(TaskBatch)
    /// Every task: a task batch token with the wildcard.
    case everyTask
    /// All trips and vehicles: a server token.
    case server
    /// All of deliveries: a delivery server token.
    case deliveryServer
    /// All of deliveries: a delivery fleet reader token.
    case deliveryFleetReader
    /// Everything: a fleet reader token.
    case fleetReader

    /// The kind of token that carries these claims.
    package var kind: TokenKind {
        switch self {
        case .trip: .consumer
        case .vehicle: .driver
        case .untrustedDeliveryVehicle: .untrustedDeliveryDriver
        case .trustedDeliveryVehicle: .trustedDeliveryDriver
        case .trackingID, .task: .deliveryConsumer
        case .tasks, .everyTask: .taskBatch
        case .server: .server
        case .deliveryServer: .deliveryServer
        case .deliveryFleetReader: .deliveryFleetReader
        case .fleetReader: .fleetReader
        }
    }

    /// The claims of a kind that names no id; nil for other kinds.
    package init?(wildcard kind: TokenKind) {
        switch kind {
        case .server: self = .server
        case .deliveryServer: self = .deliveryServer
        case .deliveryFleetReader: self = .deliveryFleetReader
        case .fleetReader: self = .fleetReader
        default: return nil
        }
    }

    /// The ids the token is restricted to; none for a wildcard.
    package var ids: [FleetEngineID] {
        switch self {
        case .trip(let id), .vehicle(let id), .untrustedDeliveryVehicle(let id), .trackingID(let id), .task(let id):
            [id]
        case .trustedDeliveryVehicle(let id, let task): task.map { [id, $0] } ?? [id]
        case .tasks(let batch): batch.ids
        case .everyTask, .server, .deliveryServer, .deliveryFleetReader, .fleetReader: []
        }
    }

    /// Bytes of the ids in UTF-8.
    var idBytes: Int { ids.reduce(0) { $0 + $1.text.utf8.count } }
}
