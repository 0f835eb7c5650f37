import StrictJSON

/// An API key: 256 random bits as text, which is shown once, when it is made.
package struct APIKey: Sendable {
    /// Random bytes in a key.
    package static let randomBytes = 32

    private static let prefix = Array("tpk_".utf8)
    /// The characters of a key.
    static let length = prefix.count + Base64URL.length(of: randomBytes)

    /// The key: `tpk_` and 43 characters of base64url.
    package let text: String

    /// The key of random bytes; nil unless they are `randomBytes`.
    package init?(random: [UInt8]) {
        guard random.count == Self.randomBytes else { return nil }
        text = String(decoding: Self.prefix + Base64URL.encode(random), as: UTF8.self)
    }

    /// Whether a bearer token is meant as an API key, valid or not: no JWT begins like one, since the letters do not decode
    /// to `{`.
    package static func looksLikeOne(_ token: [UInt8]) -> Bool {
        token.count >= prefix.count && prefix.indices.allSatisfy { token[$0] == prefix[$0] }
    }

    /// The offset after the prefix of a key that was pasted into a text, whole or in part; nil if none was.
    package static func beginning(in text: some Collection<UInt8>) -> Int? {
        text.withContiguousStorageIfAvailable { beginning(in: $0.span) } ?? beginning(in: Array(text).span)
    }

    private static func beginning(in text: Span<UInt8>) -> Int? {
        guard let last = prefix.last else { return nil }
        for end in text.indices.dropFirst(prefix.count - 1) where text[end] == last {
            let start = end + 1 - prefix.count
            if prefix.indices.allSatisfy({ text[start + $0] == prefix[$0] }) { return end + 1 }
        }
        return nil
    }

    /// Whether a whole key is anywhere in a text, whatever is around it.
    package static func stands(in text: some Collection<UInt8>) -> Bool {
        let length = Base64URL.length(of: randomBytes)
        var rest = Array(text)[...]
        while let start = beginning(in: rest) {
            rest = rest.dropFirst(start)
            let secret = rest.prefix(length)
            if secret.count == length, secret.allSatisfy(isOfBase64URL) { return true }
        }
        return false
    }

    static func isOfBase64URL(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, 0x2D, 0x5F: true
        default: false
        }
    }

    /// Whether bytes are as long as a key and begin like one.
    static func hasForm(_ bytes: [UInt8]) -> Bool {
        bytes.count == length && looksLikeOne(bytes)
    }
}
