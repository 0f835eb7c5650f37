internal import COpenSSL

/// The one owner of a context in which OpenSSL digests, signs or verifies one message.
final class DigestContext {
    let pointer: OpaquePointer

    init() throws(OpenSSLFailure) {
        guard let context = EVP_MD_CTX_new() else { throw OpenSSLErrorQueue.failure(to: "allocate memory") }
        pointer = context
    }

    /// Whether the signature is the message's by RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017 section 8.2).
    static func verify(
        _ signature: [UInt8], of message: [UInt8], by key: OpaquePointer
    ) throws(OpenSSLFailure) -> Bool {
        OpenSSLErrorQueue.clear()
        // A signature that is wrong leaves its reason in the queue, where it would blame the next call.
        defer { OpenSSLErrorQueue.clear() }
        let context = try DigestContext()
        guard EVP_DigestVerifyInit(context.pointer, nil, EVP_sha256(), nil, key) == 1 else {
            throw OpenSSLErrorQueue.failure(to: "verify")
        }
        return EVP_DigestVerify(context.pointer, signature, signature.count, message, message.count) == 1
    }

    deinit {
        EVP_MD_CTX_free(pointer)
    }
}
