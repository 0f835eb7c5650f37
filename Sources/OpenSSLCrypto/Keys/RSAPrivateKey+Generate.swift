import COpenSSL

extension RSAPrivateKey {
    /// A new key with this number of bits, at least 2048, from OpenSSL's random numbers. It takes 0.1 s or longer.
    package static func generate(bits: Int = minBits) throws(KeyError) -> RSAPrivateKey {
        guard bits >= minBits else { throw .tooShort(bits: bits) }
        OpenSSLErrorQueue.clear()
        let key: OpaquePointer
        do {
            key = try KeyMemory.holding { () throws(OpenSSLFailure) in
                let key = try RSAKeyContext().newKey(bits: bits)
                KeyProbe.sign(by: key)
                return key
            }
        } catch {
            throw .failure(error)
        }
        return try RSAPrivateKey(takingOwnershipOf: key)
    }
}

extension RSAKeyContext {
    /// A new key, which the caller owns.
    func newKey(bits: Int) throws(OpenSSLFailure) -> OpaquePointer {
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(pointer) == 1,
            EVP_PKEY_CTX_set_rsa_keygen_bits(pointer, Int32(clamping: bits)) == 1,
            EVP_PKEY_generate(pointer, &key) == 1, let key
        else { throw OpenSSLErrorQueue.failure(to: "generate a key") }
        return key
    }
}

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
