import COpenSSL
import StrictJSON

/// HMAC-SHA256 (RFC 2104) under one key: the one owner of a context in which OpenSSL has set it.
///
/// `@unchecked Sendable`: the context is only duplicated, which only reads it, and a duplicate never leaves the call that
/// made it.
package final class HMACSHA256: @unchecked Sendable {
    private static let codeBytes = 32

    private let pointer: OpaquePointer

    private init(takingOwnershipOf pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// Sets the key once: looking up the algorithms costs more than computing a code.
    package convenience init(key: [UInt8]) throws(OpenSSLFailure) {
        OpenSSLErrorQueue.clear()
        let algorithm = EVP_MAC_fetch(nil, "HMAC", nil)
        let context = EVP_MAC_CTX_new(algorithm)
        // The context holds its own reference to the algorithm.
        EVP_MAC_free(algorithm)
        guard let context else { throw OpenSSLErrorQueue.failure(to: "set up HMAC") }
        self.init(takingOwnershipOf: context)
        guard EVP_MAC_init_sha256(pointer, key, key.count) == 1 else {
            throw OpenSSLErrorQueue.failure(to: "set up HMAC")
        }
    }

    /// The text's message authentication code, 32 bytes.
    package func code(of text: String) throws(OpenSSLFailure) -> [UInt8] {
        OpenSSLErrorQueue.clear()
        guard let duplicate = EVP_MAC_CTX_dup(pointer) else { throw OpenSSLErrorQueue.failure(to: "set up HMAC") }
        let context = HMACSHA256(takingOwnershipOf: duplicate)
        var code = [UInt8](repeating: 0, count: Self.codeBytes)
        var count = 0
        var text = text
        guard text.withUTF8({ EVP_MAC_update(context.pointer, $0.baseAddress, $0.count) }) == 1,
            EVP_MAC_final(context.pointer, &code, &count, code.count) == 1, count == code.count
        else { throw OpenSSLErrorQueue.failure(to: "compute an HMAC") }
        return code
    }

    /// The text's message authentication code under a key that is used once.
    package static func code(of text: String, key: [UInt8]) throws(OpenSSLFailure) -> [UInt8] {
        try HMACSHA256(key: key).code(of: text)
    }

    deinit {
        EVP_MAC_CTX_free(pointer)
    }
}

/// HMAC-SHA256 of text under a key, cut to 64 bits. The same text has the same digest, so that a log can be followed without
/// containing the text. Without the key it is impossible to test guesses against a digest.
package struct KeyedDigest: Sendable {
    private let hmac: HMACSHA256

    /// A digest under a key. Digests can be compared only under the same key.
    package init(key: [UInt8]) throws(OpenSSLFailure) {
        hmac = try HMACSHA256(key: key)
    }

    /// A digest under a new random key of 32 bytes, which exists only in this process.
    package static func random() throws(OpenSSLFailure) -> KeyedDigest {
        try KeyedDigest(key: SecureRandom.bytes(32))
    }

    /// The digest's first 8 bytes as 16 lower-case hexadecimal digits.
    package func hex(_ text: String) throws(OpenSSLFailure) -> String {
        let code = try hmac.code(of: text)
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
