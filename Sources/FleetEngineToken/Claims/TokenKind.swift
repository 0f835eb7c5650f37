/// What a token is for, by the names in Google's documentation of Fleet Engine's JSON Web Tokens
/// (FleetEngineContract.md, "Kinds of tokens"). The raw value is the kind's name in configuration and in paths.
public enum TokenKind: String, CaseIterable, Sendable {
    /// For the rider's app or web page: one trip.
    case consumer
    /// For the driver's app: one vehicle.
    case driver
    /// For a delivery driver's app that may do little more than report: one delivery vehicle.
    case untrustedDeliveryDriver = "untrusted_delivery_driver"
    /// For a delivery driver's app that may change tasks: one delivery vehicle, and optionally one task.
    case trustedDeliveryDriver = "trusted_delivery_driver"
    /// For the page on which a recipient follows a shipment: one tracking id, or one task.
    case deliveryConsumer = "delivery_consumer"
    /// For a back end that writes several tasks at once.
    case taskBatch = "task_batch"
    /// For a back end: all trips and vehicles.
    case server
    /// For a back end: all tasks, shipments and delivery vehicles.
    case deliveryServer = "delivery_server"
    /// For operators who watch deliveries: all tasks, shipments and delivery vehicles.
    case deliveryFleetReader = "delivery_fleet_reader"
    /// For operators who watch everything.
    case fleetReader = "fleet_reader"

    /// Whether its tokens name no id, so that they give access to the whole fleet: never for a phone.
    public var isWildcard: Bool {
        switch self {
        case .server, .deliveryServer, .deliveryFleetReader, .fleetReader: true
        default: false
        }
    }

    /// The role with the fewest permissions that the signing service account needs, by Google Cloud's name. Nil for the
    /// kind whose role Google does not document.
    public var role: String? {
        switch self {
        case .consumer: "roles/fleetengine.consumerSdkUser"
        case .driver: "roles/fleetengine.driverSdkUser"
        case .untrustedDeliveryDriver: "roles/fleetengine.deliveryUntrustedDriver"
        case .trustedDeliveryDriver, .taskBatch: "roles/fleetengine.deliveryTrustedDriver"
        case .deliveryConsumer: "roles/fleetengine.deliveryConsumer"
        case .server: "roles/fleetengine.ondemandAdmin"
        case .deliveryServer: "roles/fleetengine.deliveryAdmin"
        case .deliveryFleetReader: "roles/fleetengine.deliveryFleetReader"
        case .fleetReader: nil
        }
    }

    /// The kinds whose tokens name ids.
    public static let ofSpecificIDs = allCases.filter { !$0.isWildcard }
    /// The kinds whose tokens give access to everything.
    public static let wildcards = allCases.filter(\.isWildcard)
}

/// One value for each kind, found without hashing. `public`, like `Guarded`, so that other modules specialise it.
public struct PerKind<Value: Sendable>: Sendable {
    private var values: [Value]

    /// Calls the closure for the value of each kind.
    public init(_ value: (TokenKind) throws -> Value) rethrows {
        values = try TokenKind.allCases.map(value)
    }

    /// The kind's value.
    public subscript(kind: TokenKind) -> Value {
        get { values[kind.ordinal] }
        set { values[kind.ordinal] = newValue }
    }
}

extension PerKind: Equatable where Value: Equatable {}

extension TokenKind {
    /// The kind's index among all kinds.
    public var ordinal: Int {
        switch self {
        case .consumer: 0
        case .driver: 1
        case .untrustedDeliveryDriver: 2
        case .trustedDeliveryDriver: 3
        case .deliveryConsumer: 4
        case .taskBatch: 5
        case .server: 6
        case .deliveryServer: 7
        case .deliveryFleetReader: 8
        case .fleetReader: 9
        }
    }
}
