import COpenSSL

/// The one owner of a context in which OpenSSL authenticates a message under a key.
///
/// `@unchecked Sendable`: a context made by `init(hmacSHA256:)` is only duplicated, which only reads it, and a duplicate
/// never leaves the call that made it.
final class MACContext: @unchecked Sendable {
    private static let codeBytes = 32

    private let pointer: OpaquePointer

    private init(takingOwnershipOf pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// HMAC-SHA256 with the key already set: looking up the algorithms costs more than computing the code.
    convenience init(hmacSHA256 key: [UInt8]) throws(OpenSSLFailure) {
        OpenSSLErrorQueue.clear()
        let hmac = try MACAlgorithm(named: "HMAC")
        guard let context = EVP_MAC_CTX_new(hmac.pointer) else { throw OpenSSLErrorQueue.failure(to: "set up HMAC") }
        self.init(takingOwnershipOf: context)
        guard EVP_MAC_init_sha256(pointer, key, key.count) == 1 else {
            throw OpenSSLErrorQueue.failure(to: "set up HMAC")
        }
    }

    /// The text's message authentication code, 32 bytes.
    func code(of text: String) throws(OpenSSLFailure) -> [UInt8] {
        OpenSSLErrorQueue.clear()
        guard let duplicate = EVP_MAC_CTX_dup(pointer) else { throw OpenSSLErrorQueue.failure(to: "set up HMAC") }
        let context = MACContext(takingOwnershipOf: duplicate)
        var code = [UInt8](repeating: 0, count: Self.codeBytes)
        var count = 0
        var text = text
        guard text.withUTF8({ EVP_MAC_update(context.pointer, $0.baseAddress, $0.count) }) == 1,
            EVP_MAC_final(context.pointer, &code, &count, code.count) == 1, count == code.count
        else { throw OpenSSLErrorQueue.failure(to: "compute an HMAC") }
        return code
    }

    deinit {
        EVP_MAC_CTX_free(pointer)
    }
}

/// HMAC-SHA256 (RFC 2104).
package enum HMACSHA256 {
    /// The text's message authentication code under the key, 32 bytes.
    package static func code(of text: String, key: [UInt8]) throws(OpenSSLFailure) -> [UInt8] {
        try MACContext(hmacSHA256: key).code(of: text)
    }
}

/// The one owner of a fetched algorithm. A context made from it holds its own reference.
private final class MACAlgorithm {
    let pointer: OpaquePointer

    init(named name: String) throws(OpenSSLFailure) {
        guard let algorithm = EVP_MAC_fetch(nil, name, nil) else {
            throw OpenSSLErrorQueue.failure(to: "set up \(name)")
        }
        pointer = algorithm
    }

    deinit {
        EVP_MAC_free(pointer)
    }
}
