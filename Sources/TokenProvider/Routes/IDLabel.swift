import FleetEngineToken
import OpenSSLSigner

/// How the log names an id: as a keyed digest, by which requests for the same id are found without the log holding it,
/// or as it is where the configuration says so.
struct IDLabel: Sendable {
    /// Nil shows ids as they are.
    let digest: KeyedDigest?

    /// For example `consumer:8d5f2c0a91b7e346`.
    func text(for claims: PrivateClaims) -> String {
        let id = claims.id.text
        guard let digest else { return "\(claims.kind.rawValue):\(id)" }
        // Without a digest the log says less, never more.
        return "\(claims.kind.rawValue):\((try? digest.hex(id)) ?? "-")"
    }
}
