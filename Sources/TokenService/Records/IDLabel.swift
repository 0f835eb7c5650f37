import CallerAccess
import FleetEngineToken
import HTTPServer
import OpenSSLCrypto
import StrictJSON

/// How the log names an id, a caller and a client.
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

    /// For example `consumer:8d5f2c0a91b7e346`. Ids are separated by commas, of more than two the others are counted
    /// (`a,b,+498`), and a wildcard is `*`.
    func text(for claims: PrivateClaims) -> String {
        guard !isNone else { return "" }
        let ids = claims.ids
        var names = ids.prefix(Self.maxNamed).map { name($0.text) }
        // A client sends a batch in few bytes, and each digest costs a microsecond.
        if ids.count > names.count { names.append("+\(ids.count - names.count)") }
        return "\(claims.kind.rawValue):\(names.isEmpty ? PrivateClaimName.wildcard : names.joined(separator: ","))"
    }

    /// How a reason in the log names an id; nil if it does not.
    var naming: ((FleetEngineID) -> String)? {
        switch self {
        case .none: nil
        case .plain: { ReceivedValue.text($0) }
        case .digest: { name($0.text) }
        }
    }

    /// The name of an authenticated caller; nil if it is not logged.
    func caller(_ caller: String) -> String? {
        switch self {
        case .none: nil
        case .plain: ReceivedValue.sentence(caller)
        case .digest: name(caller)
        }
    }

    /// A client's address: in a digest what its subscriber holds, as limits count it. Nil if it is not logged.
    func client(_ address: IPAddress?) -> String? {
        guard let address else { return isNone ? nil : AuditRecord.socketPeer }
        if case .plain = self { return address.description }
        return caller(address.subscriberText)
    }

    /// An unknown parameter's name, which may be an id: unchanged if it is a word, as a mistyped name is.
    func parameter(_ name: String) -> String {
        if case .plain = self { return name }
        guard !name.utf8.allSatisfy({ $0 == UInt8(ascii: "_") || $0 & 0xDF >= 0x41 && $0 & 0xDF <= 0x5A }) else {
            return name
        }
        return caller(name) ?? "-"
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
        let decoded = PercentEncoding.decode(path, 0..<path.count).map { String(decoding: $0, as: UTF8.self) }
        guard let decoded, APIKey.beginning(in: decoded.utf8) == nil, !decoded.contains("eyJ") else { return "-" }
        return length < path.count ? "\(text)…" : text
    }

    private static let maxNamed = 2

    /// The longest unknown path in the access log, in bytes.
    private static let maxPath = 128

    private func name(_ id: String) -> String {
        guard case .digest(let digest) = self else { return APIKey.beginning(in: id.utf8) == nil ? id : "-" }
        // If the digest fails, the log has less, never more.
        return (try? digest.hex(id)) ?? "-"
    }
}
