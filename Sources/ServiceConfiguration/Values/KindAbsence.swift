import FleetEngineToken

/// What a kind of token needs to be served.
package enum KindAbsence: Sendable {
    case key
    /// Its name in `kinds.enabled`.
    case listing
    case listingAndKey

    /// The settings that turn the kind on when all of them are made.
    package func settings(of kind: TokenKind) -> [String] {
        let key = "kinds.\(kind.rawValue).credentials"
        return switch self {
        case .key: [key]
        case .listing: ["kinds.enabled"]
        case .listingAndKey: ["kinds.enabled", key]
        }
    }

    /// For example `kinds.enabled turns it on`.
    package func advice(on kind: TokenKind) -> String {
        let settings = settings(of: kind)
        return "\(settings.joined(separator: " and ")) turn\(settings.count == 1 ? "s" : "") it on"
    }
}
