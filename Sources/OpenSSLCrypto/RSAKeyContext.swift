import COpenSSL

/// The one owner of a context in which OpenSSL makes an RSA key.
final class RSAKeyContext {
    let pointer: OpaquePointer

    init() throws(OpenSSLFailure) {
        guard let context = EVP_PKEY_CTX_new_from_name(nil, "RSA", nil) else {
            throw OpenSSLErrorQueue.failure(to: "set up RSA")
        }
        pointer = context
    }

    deinit {
        EVP_PKEY_CTX_free(pointer)
    }
}
