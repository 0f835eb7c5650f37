/// One value for each kind, found without hashing.
package struct PerKind<Value: Sendable>: Sendable {
    private var values: [Value]

    /// Calls the closure for the value of each kind.
    package init(_ value: (TokenKind) throws -> Value) rethrows {
        values = try TokenKind.allCases.map(value)
    }

    /// The kind's value.
    package subscript(kind: TokenKind) -> Value {
        get { values[kind.ordinal] }
        set { values[kind.ordinal] = newValue }
    }
}

extension PerKind: Equatable where Value: Equatable {}

extension TokenKind {
    /// The kind's index among all kinds.
    package var ordinal: Int {
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
