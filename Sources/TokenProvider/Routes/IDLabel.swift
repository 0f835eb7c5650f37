import CallerAccess
import FleetEngineToken
import OpenSSLSigner

/// How the access log names an id.
enum IDLabel: Sendable {
    /// As a keyed digest, by which requests for the same id are found without the log holding it.
    case digest(KeyedDigest)
    /// As it is.
    case plain
    /// Not at all, where no request is logged: nothing is kept for it.
    case none

    /// For example `consumer:8d5f2c0a91b7e346`; more than one id is separated by commas, and a wildcard is `*`.
    func text(for claims: PrivateClaims) -> String {
        if case .none = self { return "" }
        let ids = claims.ids.map { name($0.text) }
        return "\(claims.kind.rawValue):\(ids.isEmpty ? PrivateClaimName.wildcard : ids.joined(separator: ","))"
    }

    private func name(_ id: String) -> String {
        guard case .digest(let digest) = self else { return APIKey.looksLikeOne(Array(id.utf8)) ? "-" : id }
        // Without a digest the log says less, never more.
        return (try? digest.hex(id)) ?? "-"
    }
}
