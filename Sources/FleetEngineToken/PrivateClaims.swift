/// The private claims (RFC 7519 section 4.3) a token carries in its `authorization` member: what Fleet Engine lets its
/// bearer see. Each case is a kind of token, so that a kind can never carry another's claims.
public enum PrivateClaims: Hashable, Sendable {
    /// One trip: the `tripid` claim of a consumer token.
    case trip(FleetEngineID)
    /// One vehicle: the `vehicleid` claim of a driver token.
    case vehicle(FleetEngineID)

    /// The kind of token that carries these claims.
    public var kind: TokenKind {
        switch self {
        case .trip: .consumer
        case .vehicle: .driver
        }
    }

    /// The id the token is restricted to.
    public var id: FleetEngineID {
        switch self {
        case .trip(let id), .vehicle(let id): id
        }
    }

    /// The claim's name as Fleet Engine reads it: all lower case.
    public var name: String {
        switch self {
        case .trip: "tripid"
        case .vehicle: "vehicleid"
        }
    }
}
