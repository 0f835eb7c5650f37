import COpenSSL
import StrictJSON

/// HMAC-SHA256 (RFC 2104) of text under a key, cut to 64 bits. The same text has the same digest, so that a log can be
/// followed without containing the text. Without the key it is impossible to test guesses against a digest.
package struct KeyedDigest: Sendable {
    private let context: MACContext

    /// A digest under a key. Digests can be compared only under the same key.
    package init(key: [UInt8]) throws(OpenSSLFailure) {
        context = try MACContext(hmacSHA256: key)
    }

    /// A digest under a new random key of 32 bytes, which exists only in this process.
    package static func random() throws(OpenSSLFailure) -> KeyedDigest {
        try KeyedDigest(key: SecureRandom.bytes(32))
    }

    /// The digest's first 8 bytes as 16 lower-case hexadecimal digits.
    package func hex(_ text: String) throws(OpenSSLFailure) -> String {
        let code = try context.code(of: text)
        return HexadecimalDigit.text(of: code.span.extracting(first: 8))
    }
}

/// OpenSSL's random numbers, suitable for keys.
package enum SecureRandom {
    /// This number of random bytes. Throws if the system has no random numbers to seed with.
    package static func bytes(_ count: Int) throws(OpenSSLFailure) -> [UInt8] {
        OpenSSLErrorQueue.clear()
        var bytes = [UInt8](repeating: 0, count: count)
        guard RAND_bytes_ex(nil, &bytes, count, 0) == 1 else {
            throw OpenSSLErrorQueue.failure(to: "make random numbers")
        }
        return bytes
    }
}
