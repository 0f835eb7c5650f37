import Concurrency
import COpenSSL

/// The one owner of a context in which OpenSSL signs digests, or verifies signatures of them, with one algorithm and one key.
///
/// `@unchecked Sendable`: a context that signs or verifies is used by one thread at a time, and one that is duplicated is only
/// read.
final class SignatureContext: @unchecked Sendable {
    private let pointer: OpaquePointer

    private init(takingOwnershipOf pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// A context that verifies signatures of digests, of RSA by RSASSA-PKCS1-v1_5 unless it is RSASSA-PSS.
    convenience init(
        verifying digest: ThreadDigest, by key: OpaquePointer, isPSS: Bool
    ) throws(OpenSSLFailure) {
        OpenSSLErrorQueue.clear()
        guard let context = EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else {
            throw OpenSSLErrorQueue.failure(to: "verify")
        }
        self.init(takingOwnershipOf: context)
        guard let type = digest.algorithm, EVP_PKEY_verify_init(context) == 1,
            EVP_PKEY_CTX_set_signature_md(context, type) == 1, !isPSS || setUpPSS()
        else { throw OpenSSLErrorQueue.failure(to: "verify") }
    }

    /// A context that signs by RSASSA-PKCS1-v1_5.
    convenience init(signing digest: ThreadDigest, with key: OpaquePointer) throws(OpenSSLFailure) {
        OpenSSLErrorQueue.clear()
        guard let context = EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else {
            throw OpenSSLErrorQueue.failure(to: "sign")
        }
        self.init(takingOwnershipOf: context)
        guard let type = digest.algorithm, EVP_PKEY_sign_init(context) == 1,
            EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1,
            EVP_PKEY_CTX_set_signature_md(context, type) == 1
        else { throw OpenSSLErrorQueue.failure(to: "sign") }
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

    /// The digest's signature, which has this length; nil if there is none. The context can be used again afterwards.
    func sign(_ digest: UnsafeRawBufferPointer, length: Int) -> [UInt8]? {
        let digestBytes = digest.assumingMemoryBound(to: UInt8.self)
        let signature = [UInt8](unsafeUninitializedCapacity: length) { bytes, count in
            var written = length
            let isDone = EVP_PKEY_sign(pointer, bytes.baseAddress, &written, digestBytes.baseAddress, digest.count) == 1
            count = isDone ? written : 0
        }
        return signature.count == length ? signature : nil
    }

    deinit {
        EVP_PKEY_CTX_free(pointer)
    }
}

/// Contexts with the same settings, as many as threads have ever used at the same time. Setting one up costs a fifth of a
/// verification by RS256.
final class SignatureContexts: Sendable {
    /// Each context is a duplicate of this one.
    private let prepared: SignatureContext
    private let idle = Guarded<[SignatureContext]>([])

    init(_ prepared: SignatureContext) { self.prepared = prepared }

    /// Does something with a context that no other thread uses; nil if out of memory.
    func use<Result>(_ body: (SignatureContext) -> Result) -> Result? {
        guard let context = idle.withLock({ $0.popLast() }) ?? prepared.duplicate() else { return nil }
        defer { idle.withLock { $0.append(context) } }
        return body(context)
    }
}
