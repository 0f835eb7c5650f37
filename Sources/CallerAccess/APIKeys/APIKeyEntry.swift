import FleetEngineToken
import OpenSSLCrypto
import StrictJSON

/// What the file of API keys says of one: everything but the key.
package struct APIKeyEntry: Sendable {
    private static let digestPrefix = Array("sha256:".utf8)
    private static let expiryPrefix = Array("expires=".utf8)
    private static let rulesPrefix = Array("rules=".utf8)

    /// The key's name, 1 to 64 characters of `A-Z a-z 0-9 . _ -`; it never begins with `tpk_`, like a key pasted in its
    /// place.
    package let name: String
    /// When it expires, in seconds since the epoch; nil for never.
    package let expiresAt: Int64?
    /// The rules that may allow it something; nil for all.
    package let rules: Set<String>?
    let digest: SHA256Digest

    /// The entry of a key; throws if the name is malformed, or the expiry is outside 1970 to 9999.
    package init(
        name: String, key: APIKey, expiresAt: Int64? = nil, rules: Set<String>? = nil
    ) throws(APIKeyFileError.Problem) {
        guard Self.isName(name.utf8) else { throw .malformedName }
        if let expiresAt { guard (0...CivilTime.last).contains(expiresAt) else { throw .malformedExpiry } }
        if let rules {
            guard !rules.isEmpty, rules.allSatisfy({ ConfiguredName.isValid($0.utf8) }) else { throw .malformedRules }
        }
        (self.name, self.expiresAt, self.rules) = (name, expiresAt, rules)
        digest = SHA256Digest(of: Array(key.text.utf8))
    }

    /// The entry of a key whose expiry is text, as the file has it.
    package init(
        name: String, key: APIKey, expires: String?, rules: Set<String>? = nil
    ) throws(APIKeyFileError.Problem) {
        let expiry = try expires.map { text throws(APIKeyFileError.Problem) in try Self.moment(Array(text.utf8)[...]) }
        try self.init(name: name, key: key, expiresAt: expiry, rules: rules)
    }

    /// The entry of a line's fields, of which there is at least one.
    init(_ fields: [ArraySlice<UInt8>]) throws(APIKeyFileError.Problem) {
        guard !fields.contains(where: { APIKey.looksLikeOne(Array($0)) }) else { throw .keyItself }
        guard let first = fields.first, Self.isName(first) else { throw .malformedName }
        guard fields.count > 1 else { throw .missingDigest }
        guard let digest = Self.value(fields[1], after: Self.digestPrefix).flatMap(SHA256Digest.init(hex:)) else {
            throw .malformedDigest
        }
        (name, self.digest) = (String(decoding: first, as: UTF8.self), digest)
        var (expiresAt, rules) = (Int64?.none, Set<String>?.none)
        for field in fields.dropFirst(2) {
            if let text = Self.value(field, after: Self.expiryPrefix), expiresAt == nil {
                expiresAt = try Self.moment(text)
            } else if let text = Self.value(field, after: Self.rulesPrefix), rules == nil {
                rules = try Self.names(text)
            } else {
                throw .foreignField
            }
        }
        (self.expiresAt, self.rules) = (expiresAt, rules)
    }

    /// Its line, as `APIKeyTable` reads it.
    package var line: String {
        "\(name) sha256:\(digest.text)" + (expiresAt.map { " expires=\(CivilTime(clamping: $0).rfc3339)" } ?? "")
            + (rules.map { " rules=\($0.sorted().joined(separator: ","))" } ?? "")
    }

    private static func isName(_ name: some Collection<UInt8>) -> Bool {
        ConfiguredName.isValid(name) && !APIKey.looksLikeOne(Array(name))
    }

    private static func moment(_ text: ArraySlice<UInt8>) throws(APIKeyFileError.Problem) -> Int64 {
        guard let seconds = CivilTime.epochSeconds(rfc3339: text) else { throw .malformedExpiry }
        return seconds
    }

    private static func names(_ text: ArraySlice<UInt8>) throws(APIKeyFileError.Problem) -> Set<String> {
        let names = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard names.allSatisfy({ ConfiguredName.isValid($0) }) else { throw .malformedRules }
        return Set(names.map { String(decoding: $0, as: UTF8.self) })
    }

    private static func value(_ field: ArraySlice<UInt8>, after prefix: [UInt8]) -> ArraySlice<UInt8>? {
        field.starts(with: prefix) ? field.dropFirst(prefix.count) : nil
    }
}
