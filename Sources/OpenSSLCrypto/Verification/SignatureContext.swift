import COpenSSL

/// The one owner of a context in which OpenSSL verifies signatures of digests with one algorithm and one key.
///
/// `@unchecked Sendable`: a context that verifies is used by one thread at a time, and one that is duplicated is only
/// read.
final class SignatureContext: @unchecked Sendable {
    private let pointer: OpaquePointer

    private init(takingOwnershipOf pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// A context for the algorithm, its digest and a key, which must be of the algorithm's type.
    convenience init(
        _ algorithm: JWSAlgorithm, _ digest: ThreadDigest, by key: OpaquePointer
    ) throws(OpenSSLFailure) {
        OpenSSLErrorQueue.clear()
        guard let context = EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else {
            throw OpenSSLErrorQueue.failure(to: "verify")
        }
        self.init(takingOwnershipOf: context)
        guard let type = digest.algorithm, EVP_PKEY_verify_init(context) == 1,
            EVP_PKEY_CTX_set_signature_md(context, type) == 1, !algorithm.isPSS || setUpPSS()
        else { throw OpenSSLErrorQueue.failure(to: "verify") }
    }

    /// RFC 7518 section 3.5: the salt is as long as the digest; MGF1 has the same digest unless another is set.
    private func setUpPSS() -> Bool {
        EVP_PKEY_CTX_set_rsa_padding(pointer, RSA_PKCS1_PSS_PADDING) == 1
            && EVP_PKEY_CTX_set_rsa_pss_saltlen(pointer, RSA_PSS_SALTLEN_DIGEST) == 1
    }

    /// Another context with the same settings; nil if out of memory.
    func duplicate() -> SignatureContext? {
        EVP_PKEY_CTX_dup(pointer).map(SignatureContext.init(takingOwnershipOf:))
    }

    /// Whether the signature is valid for the digest. The context can be used again afterwards.
    func verify(_ signature: [UInt8], of digest: UnsafeRawBufferPointer) -> Bool {
        let digestBytes = digest.assumingMemoryBound(to: UInt8.self)
        return EVP_PKEY_verify(pointer, signature, signature.count, digestBytes.baseAddress, digest.count) == 1
    }

    deinit {
        EVP_PKEY_CTX_free(pointer)
    }
}
