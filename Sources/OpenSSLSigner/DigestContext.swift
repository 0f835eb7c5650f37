internal import COpenSSL
internal import OpenSSLObjects

/// The one owner of a context in which OpenSSL signs or verifies one message.
final class DigestContext {
    let pointer: OpaquePointer

    init() throws(OpenSSLFailure) {
        guard let context = EVP_MD_CTX_new() else { throw OpenSSLErrorQueue.failure(to: "allocate memory") }
        pointer = context
    }

    /// A context that is set up to verify a message by the key, which is of the algorithm's type.
    convenience init(verifying algorithm: JWSAlgorithm, by key: OpaquePointer) throws(OpenSSLFailure) {
        OpenSSLErrorQueue.clear()
        try self.init()
        // Belongs to the context.
        var parameters: OpaquePointer?
        guard EVP_DigestVerifyInit_ex(pointer, &parameters, algorithm.digestName, nil, nil, key, nil) == 1,
            !algorithm.isPSS || Self.setUpPSS(parameters)
        else { throw OpenSSLErrorQueue.failure(to: "verify") }
        // Each context verifies once, so OpenSSL need not keep its state by copying it again.
        EVP_MD_CTX_set_flags(pointer, EVP_MD_CTX_FLAG_FINALISE)
    }

    /// RFC 7518 section 3.5: the salt is as long as the digest; MGF1 has the same digest unless another is set.
    private static func setUpPSS(_ parameters: OpaquePointer?) -> Bool {
        EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) == 1
            && EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, RSA_PSS_SALTLEN_DIGEST) == 1
    }

    /// Another context that is set up as this one.
    func copy() throws(OpenSSLFailure) -> DigestContext {
        OpenSSLErrorQueue.clear()
        let copy = try DigestContext()
        guard EVP_MD_CTX_copy_ex(copy.pointer, pointer) == 1 else {
            throw OpenSSLErrorQueue.failure(to: "copy a context")
        }
        return copy
    }

    /// Whether the signature is the message's; uses the context up.
    func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        // A signature that is wrong leaves its reason in the queue, where it would blame the next call.
        defer { OpenSSLErrorQueue.clear() }
        return EVP_DigestVerify(pointer, signature, signature.count, message, message.count) == 1
    }

    deinit {
        EVP_MD_CTX_free(pointer)
    }
}
