import COpenSSL

/// The one owner of a context in which OpenSSL signs or verifies one message.
final class DigestContext {
    let pointer: OpaquePointer

    init() throws(OpenSSLFailure) {
        guard let context = EVP_MD_CTX_new() else { throw OpenSSLErrorQueue.failure(to: "allocate memory") }
        pointer = context
    }

    /// A context that is set up to verify a message with a key of EdDSA, which takes the whole message instead of a digest.
    convenience init(verifyingBy key: OpaquePointer) throws(OpenSSLFailure) {
        OpenSSLErrorQueue.clear()
        try self.init()
        guard EVP_DigestVerifyInit_ex(pointer, nil, nil, nil, nil, key, nil) == 1 else {
            throw OpenSSLErrorQueue.failure(to: "verify")
        }
    }

    /// Another context with the same settings.
    func copy() throws(OpenSSLFailure) -> DigestContext {
        OpenSSLErrorQueue.clear()
        let copy = try DigestContext()
        guard EVP_MD_CTX_copy_ex(copy.pointer, pointer) == 1 else {
            throw OpenSSLErrorQueue.failure(to: "copy a context")
        }
        return copy
    }

    /// Whether the signature is valid for the message. The context cannot be used again.
    func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        // A wrong signature leaves its reason in the queue, where it would be reported for the next call.
        defer { OpenSSLErrorQueue.clear() }
        return EVP_DigestVerify(pointer, signature, signature.count, message, message.count) == 1
    }

    deinit {
        EVP_MD_CTX_free(pointer)
    }
}
