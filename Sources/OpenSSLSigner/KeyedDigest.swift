public import OpenSSLObjects

/// HMAC-SHA256 (RFC 2104) of text under a key, cut to 64 bits: the same text has the same digest, so that a log can be
/// followed without holding the text, and nobody without the key can try texts against it.
public struct KeyedDigest: Sendable {
    private let context: MACContext

    /// A digest under a key, which its caller keeps as long as digests are to be compared.
    public init(key: [UInt8]) throws(OpenSSLFailure) {
        context = try MACContext(hmacSHA256: key)
    }

    /// A digest under 32 bytes of OpenSSL's random numbers, which end with the process.
    public static func random() throws(OpenSSLFailure) -> KeyedDigest {
        try KeyedDigest(key: SecureRandom.bytes(32))
    }

    /// The digest's first 8 bytes as 16 lower-case hexadecimal digits.
    public func hex(_ text: String) throws(OpenSSLFailure) -> String {
        let code = try context.code(of: text)
        return String(unsafeUninitializedCapacity: 16) { digits in
            for (index, byte) in code.prefix(8).enumerated() {
                digits[2 * index] = Self.digit(byte >> 4)
                digits[2 * index + 1] = Self.digit(byte & 0xF)
            }
            return 16
        }
    }

    private static func digit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
    }
}
