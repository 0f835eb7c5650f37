internal import COpenSSL

/// The one owner of a context in which OpenSSL digests, signs or verifies one message.
final class DigestContext {
    let pointer: OpaquePointer

    init() throws(OpenSSLFailure) {
        guard let context = EVP_MD_CTX_new() else { throw OpenSSLErrorQueue.failure(to: "allocate memory") }
        pointer = context
    }

    deinit {
        EVP_MD_CTX_free(pointer)
    }
}
