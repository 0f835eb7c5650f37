import CallerAccess
import FleetEngineToken
import OpenSSLCrypto
import StrictJSON

extension AuditRecord {
    /// The longest string from outside in a record, in bytes of UTF-8. A longer one is cut, as is one with an API key pasted
    /// into it, after the key's prefix. A cut string ends with an ellipsis and the first 8 bytes of the SHA-256 of the whole,
    /// which tell it from others with the same beginning.
    static let maxText = 256
    /// The most bytes of a reason, which is our own sentence with short values of a client in it.
    static let maxReason = 1024
    private static let capacity = 384

    /// The record as the beginning of a line: a JSON object without its end. The chain adds its members.
    package func opening() -> [UInt8] {
        var json = JSONWriter(escaping: .logLine, reserving: Self.capacity)
        json.beginObject()
        json.member("time", time)
        json.member("outcome", outcome.rawValue)
        if let count { json.member("count", count) }
        if let principal {
            json.member("principal", bounded: principal.name)
            json.member("source", bounded: principal.source)
        }
        if let claims { json.subject(claims, isWhole: refusal == nil) }
        if let rule { json.member("rule", bounded: rule) }
        if let refusal {
            json.member("code", bounded: refusal.code)
            json.member("reason", bounded: refusal.reason, to: AuditRecord.maxReason)
        }
        if let token {
            json.member("token", token.fingerprint)
            json.member("exp", token.expiresAt)
            json.member("signer", bounded: token.signer)
        }
        if let requestID { json.member("request_id", bounded: requestID) }
        if let clientRequestID { json.member("client_request_id", bounded: clientRequestID) }
        if let peer { json.member("peer", bounded: peer) }
        return json.bytes
    }
}

extension JSONWriter {
    /// The kind and its ids, by the names of their claims; a wildcard kind has no ids. If not whole, the tasks that fit and
    /// what tells all of them from others.
    fileprivate mutating func subject(_ claims: PrivateClaims, isWhole: Bool) {
        member("kind", claims.kind.rawValue)
        key("ids")
        if claims.kind.isWildcard { return object { _ in } }
        guard !isWhole, case .tasks(let batch) = claims, let first = AuditRecord.first(of: batch) else {
            return value(claims) { AuditRecord.shown($0) }
        }
        value(.tasks(first)) { AuditRecord.shown($0) }
        member("id_count", Int64(batch.count))
        member("id_digest", AuditRecord.digest(of: batch.text))
    }

    fileprivate mutating func member(_ name: String, bounded text: String, to limit: Int = AuditRecord.maxText) {
        member(name, AuditRecord.shown(text, to: limit))
    }
}

extension AuditRecord {
    /// The first tasks, with so many bytes as one text may have; nil if all fit.
    fileprivate static func first(of batch: TaskBatch) -> TaskBatch? {
        var bytes = 0
        let fitting = batch.ids.prefix { id in
            // With quotation marks and a comma.
            bytes += id.text.utf8.count + 3
            return bytes <= maxText + 3
        }
        return fitting.count == batch.count ? nil : try? TaskBatch(Array(fitting))
    }

    /// The text, cut if necessary.
    fileprivate static func shown(_ text: String, to limit: Int = maxText) -> String {
        let key = APIKey.beginning(in: text.utf8)
        return key == nil && text.utf8.count <= limit ? text : cut(text, to: min(key ?? limit, limit))
    }

    /// As many whole scalars as fit.
    private static func cut(_ text: String, to limit: Int) -> String {
        var whole = String.UnicodeScalarView()
        var bytes = 0
        for scalar in text.unicodeScalars {
            bytes += UTF8.width(scalar)
            guard bytes <= limit else { break }
            whole.append(scalar)
        }
        return "\(String(whole))\u{2026}\(digest(of: text))"
    }

    /// The first 8 bytes of the SHA-256 of a text.
    fileprivate static func digest(of text: String) -> String {
        HexadecimalDigit.text(of: SHA256Digest(of: Array(text.utf8)).bytes.span.extracting(first: 8))
    }
}
