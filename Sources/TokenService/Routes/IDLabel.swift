import CallerAccess
import FleetEngineToken
import OpenSSLCrypto

/// How the access log names an id.
package enum IDLabel: Sendable {
    /// As a keyed digest, by which requests for the same id are found without the log holding it.
    case digest(KeyedDigest)
    /// As it is.
    case plain
    /// Not at all, where no request is logged: nothing is kept for it.
    case none

    /// Whether nobody reads what a request is called.
    var isNone: Bool {
        if case .none = self { true } else { false }
    }

    /// For example `consumer:8d5f2c0a91b7e346`; more than one id is separated by commas, and a wildcard is `*`.
    func text(for claims: PrivateClaims) -> String {
        guard !isNone else { return "" }
        let ids = claims.ids.map { name($0.text) }
        return "\(claims.kind.rawValue):\(ids.isEmpty ? PrivateClaimName.wildcard : ids.joined(separator: ","))"
    }

    /// How a reason in the log names an id; nil if it does not.
    var naming: ((FleetEngineID) -> String)? {
        switch self {
        case .none: nil
        case .plain: { ReceivedValue.text($0) }
        case .digest: { name($0.text) }
        }
    }

    /// What the access log calls a path that is no route's, which may hold an id anywhere: its keyed digest, or as it was
    /// sent, up to `end`, cut where it is too long, and nothing of one that looks as if an API key or a token had been pasted
    /// into it.
    func path(_ path: Span<UInt8>, to end: Int) -> String {
        switch self {
        case .none: return ""
        case .digest(let digest):
            let text = String(decoding: (0..<path.count).map { path[$0] }, as: UTF8.self)
            return (try? digest.hex(text)).map { "unknown:\($0)" } ?? "-"
        case .plain: break
        }
        let kept = min(end, Self.maxPath)
        let text = String(decoding: (0..<kept).map { path[$0] }, as: UTF8.self)
        let decoded = PercentDecoding.bytes(of: path, 0..<path.count).map { String(decoding: $0, as: UTF8.self) }
        guard let decoded, APIKey.beginning(in: decoded.utf8) == nil, !decoded.contains("eyJ") else { return "-" }
        return kept < path.count ? "\(text)…" : text
    }

    /// Bytes of an unknown path in the access log.
    private static let maxPath = 128

    private func name(_ id: String) -> String {
        guard case .digest(let digest) = self else { return APIKey.beginning(in: id.utf8) == nil ? id : "-" }
        // Without a digest the log says less, never more.
        return (try? digest.hex(id)) ?? "-"
    }
}
