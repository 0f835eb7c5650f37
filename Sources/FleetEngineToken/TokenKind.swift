/// What a token is for, by the names Google's documentation gives the kinds of JSON Web Token Fleet Engine takes.
public enum TokenKind: String, CaseIterable, Sendable {
    /// For the rider's app or web page: one trip.
    case consumer
    /// For the driver's app: one vehicle.
    case driver
}

/// One value for each kind that has one, found without hashing.
public struct PerKind<Value: Sendable>: Sendable {
    private var values: [Value?]

    /// Asks for the value of each kind.
    public init(_ value: (TokenKind) -> Value?) {
        values = TokenKind.allCases.map(value)
    }

    /// The kind's value; nil if it has none.
    public subscript(kind: TokenKind) -> Value? {
        values[kind.ordinal]
    }
}

extension TokenKind {
    /// The kind's place among all kinds.
    fileprivate var ordinal: Int {
        switch self {
        case .consumer: 0
        case .driver: 1
        }
    }
}
