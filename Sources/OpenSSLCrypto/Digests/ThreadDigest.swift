import COpenSSL

/// Digests by one algorithm, with a context for each thread. Looking up the algorithm and making a context cost more
/// than digesting a short token, so the algorithm is looked up once and each thread makes one context.
///
/// `@unchecked Sendable`: the algorithm never changes, and each thread has its own context.
package final class ThreadDigest: @unchecked Sendable {
    static let sha256 = ThreadDigest(named: "SHA256", length: SHA256Digest.length)
    static let sha384 = ThreadDigest(named: "SHA384", length: 48)
    static let sha512 = ThreadDigest(named: "SHA512", length: 64)

    /// Nil if OpenSSL does not have this algorithm; then no digest is computed.
    let algorithm: OpaquePointer?
    /// Bytes of a digest.
    let length: Int
    /// Where each thread stores its context, which is freed when the thread ends.
    private let key: CRYPTO_THREAD_LOCAL

    private init(named name: String, length: Int) {
        self.length = length
        algorithm = EVP_MD_fetch(nil, name, nil)
        var key = CRYPTO_THREAD_LOCAL()
        let isMade = CRYPTO_THREAD_init_local(&key) { EVP_MD_CTX_free(OpaquePointer($0)) } == 1
        precondition(isMade, "the process has no key for thread-local storage left")
        self.key = key
    }

    deinit {
        var key = key
        CRYPTO_THREAD_cleanup_local(&key)
        EVP_MD_free(algorithm)
    }

    /// Writes the digest of the bytes to the target, which must have `length` bytes. Returns false if OpenSSL fails.
    func digest(_ bytes: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) -> Bool {
        guard let algorithm, let context = contextOfThread() else { return false }
        return EVP_DigestInit_ex(context, algorithm, nil) == 1
            && EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
            && EVP_DigestFinal_ex(context, target.baseAddress?.assumingMemoryBound(to: UInt8.self), nil) == 1
    }

    private func contextOfThread() -> OpaquePointer? {
        var key = key
        if let context = CRYPTO_THREAD_get_local(&key) { return OpaquePointer(context) }
        guard let context = EVP_MD_CTX_new() else { return nil }
        guard CRYPTO_THREAD_set_local(&key, UnsafeMutableRawPointer(context)) == 1 else {
            EVP_MD_CTX_free(context)
            return nil
        }
        return context
    }
}
