/// A SHA-256 digest (FIPS 180-4). It is stored without heap memory, since every request of a known caller makes one.
package struct SHA256Digest: Hashable, Sendable {
    /// Bytes of a digest.
    package static let length = 32

    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// The digest of these bytes.
    package init(of bytes: [UInt8]) {
        let isDone = bytes.withUnsafeBytes { bytes in
            withUnsafeMutableBytes(of: &words) { ThreadDigest.sha256.digest(bytes, into: $0) }
        }
        // Fails only without memory or without SHA-256. A made-up digest would look like a real one, and two tokens must
        // never be treated as the same.
        precondition(isDone, "OpenSSL could not digest by SHA-256")
    }

    /// The digest with these bytes; nil unless there are `length` of them.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: bytes) }
    }

    /// Its bytes.
    package var bytes: [UInt8] { withUnsafeBytes(of: words) { Array($0) } }

    /// Its first 8 bytes, for tables in which a rare second match is compared in full.
    package var beginning: UInt64 { words.0 }

    /// Whether both are the same, in a time that does not depend on how many bytes are.
    package func equalsInConstantTime(_ other: SHA256Digest) -> Bool {
        let first = words.0 ^ other.words.0 | words.1 ^ other.words.1
        let second = words.2 ^ other.words.2 | words.3 ^ other.words.3
        return first | second == 0
    }

    /// Whether both are the same.
    package static func == (one: SHA256Digest, other: SHA256Digest) -> Bool {
        one.words == other.words
    }

    /// Hashes a part, which is as random as the whole.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(beginning)
    }
}
