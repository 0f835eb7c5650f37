import CallerAccess
import FleetEngineToken
import OpenSSLCrypto
import StrictJSON

extension AuditRecord {
    /// The most bytes of UTF-8 of a string that somebody else chose. What is longer is cut, as is what an API key seems to
    /// have been pasted into, behind the key's first letters; it ends with an ellipsis and the first 8 bytes of the SHA-256
    /// of the whole, so that it is still told from others that begin like it.
    static let maxText = 256
    /// The most bytes of a reason, which is our own sentence with short values of a client in it.
    static let maxReason = 1024
    private static let room = 384

    /// The record as the beginning of a line: a JSON object without its end, to which the chain adds its members.
    package func opening() -> [UInt8] {
        var json = JSONWriter(escaping: .logLine, reserving: Self.room)
        json.beginObject()
        json.member("time", time)
        json.member("outcome", outcome.rawValue)
        if let count { json.member("count", count) }
        if let principal {
            json.member("principal", bounded: principal.name)
            json.member("source", bounded: principal.source)
        }
        if let claims { json.subject(claims) }
        if let rule { json.member("rule", bounded: rule) }
        if let refusal {
            json.member("code", bounded: refusal.code)
            json.member("reason", bounded: refusal.reason, to: AuditRecord.maxReason)
        }
        if let token {
            json.member("token", token.fingerprint)
            json.member("exp", token.expiresAt)
        }
        if let requestID { json.member("request_id", bounded: requestID) }
        if let peer { json.member("peer", bounded: peer) }
        return json.bytes
    }
}

extension JSONWriter {
    /// The kind and its ids, each by the name of the claim it is signed into; a wildcard kind has none.
    fileprivate mutating func subject(_ claims: PrivateClaims) {
        member("kind", claims.kind.rawValue)
        key("ids")
        if claims.kind.isWildcard { return object { _ in } }
        value(claims) { AuditRecord.shown($0) }
    }

    fileprivate mutating func member(_ name: String, bounded text: String, to limit: Int = AuditRecord.maxText) {
        member(name, AuditRecord.shown(text, to: limit))
    }
}

extension AuditRecord {
    /// The text, or what of it may stand in a record.
    fileprivate static func shown(_ text: String, to limit: Int = maxText) -> String {
        let key = APIKey.beginning(in: text.utf8)
        return key == nil && text.utf8.count <= limit ? text : cut(text, to: min(key ?? limit, limit))
    }

    /// As many whole scalars as there is room for.
    private static func cut(_ text: String, to room: Int) -> String {
        var kept = String.UnicodeScalarView()
        var bytes = 0
        for scalar in text.unicodeScalars {
            bytes += UTF8.width(scalar)
            guard bytes <= room else { break }
            kept.append(scalar)
        }
        let digest = SHA256Digest(of: Array(text.utf8)).bytes
        return "\(String(kept))\u{2026}\(HexadecimalDigit.text(of: digest.span.extracting(first: 8)))"
    }
}
