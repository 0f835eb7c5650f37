import CallerAccess
import FleetEngineToken
import OpenSSLSigner

/// How the log names an id: as a keyed digest, by which requests for the same id are found without the log holding it,
/// or as it is where the configuration says so.
struct IDLabel: Sendable {
    /// Nil shows ids as they are.
    let digest: KeyedDigest?

    /// For example `consumer:8d5f2c0a91b7e346`; more than one id is separated by commas, and a wildcard is `*`.
    func text(for claims: PrivateClaims) -> String {
        let ids = claims.ids.map { name($0.text) }
        return "\(claims.kind.rawValue):\(ids.isEmpty ? PrivateClaimName.wildcard : ids.joined(separator: ","))"
    }

    private func name(_ id: String) -> String {
        guard let digest else { return APIKey.looksLikeOne(Array(id.utf8)) ? "-" : id }
        // Without a digest the log says less, never more.
        return (try? digest.hex(id)) ?? "-"
    }
}
