import CallerAccess
import FleetEngineToken
import OpenSSLCrypto

/// How the access log names an id.
package enum IDLabel: Sendable {
    /// As a keyed digest: requests for the same id can be matched without the id.
    case digest(KeyedDigest)
    /// Unchanged.
    case plain
    /// Not at all, if requests are not logged.
    case none

    /// Whether requests are not logged.
    var isNone: Bool {
        if case .none = self { true } else { false }
    }

    /// For example `consumer:8d5f2c0a91b7e346`. Several ids are separated by commas, and a wildcard is `*`.
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

    /// The name of an unknown path, which may contain an id anywhere: its keyed digest, or the path up to `end`, cut if too
    /// long. A path that seems to contain an API key or a token is not logged.
    func path(_ path: Span<UInt8>, to end: Int) -> String {
        switch self {
        case .none: return ""
        case .digest(let digest):
            let text = String(decoding: (0..<path.count).map { path[$0] }, as: UTF8.self)
            return (try? digest.hex(text)).map { "unknown:\($0)" } ?? "-"
        case .plain: break
        }
        let length = min(end, Self.maxPath)
        let text = String(decoding: (0..<length).map { path[$0] }, as: UTF8.self)
        let decoded = PercentDecoding.bytes(of: path, 0..<path.count).map { String(decoding: $0, as: UTF8.self) }
        guard let decoded, APIKey.beginning(in: decoded.utf8) == nil, !decoded.contains("eyJ") else { return "-" }
        return length < path.count ? "\(text)…" : text
    }

    /// The longest unknown path in the access log, in bytes.
    private static let maxPath = 128

    private func name(_ id: String) -> String {
        guard case .digest(let digest) = self else { return APIKey.beginning(in: id.utf8) == nil ? id : "-" }
        // If the digest fails, the log has less, never more.
        return (try? digest.hex(id)) ?? "-"
    }
}
