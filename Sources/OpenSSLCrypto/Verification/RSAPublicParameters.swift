import COpenSSL

/// The one owner of the parameters from which OpenSSL makes an RSA public key.
final class RSAPublicParameters {
    private let builder: OpaquePointer
    /// The builder holds pointers to them.
    private let integers: [BigNumber]

    init(_ modulus: BigNumber, _ exponent: BigNumber) throws(OpenSSLFailure) {
        guard let builder = OSSL_PARAM_BLD_new() else { throw OpenSSLErrorQueue.failure(to: "allocate memory") }
        self.builder = builder
        integers = [modulus, exponent]
        guard OSSL_PARAM_BLD_push_RSA(builder, modulus.pointer, exponent.pointer) == 1 else {
            throw OpenSSLErrorQueue.failure(to: "take the key's integers")
        }
    }

    /// The key with these integers.
    func key() throws(OpenSSLFailure) -> PublicKeyObject {
        let context = try RSAKeyContext()
        let parameters = OSSL_PARAM_BLD_to_param(builder)
        defer { OSSL_PARAM_free(parameters) }
        var key: OpaquePointer?
        guard parameters != nil, EVP_PKEY_fromdata_init(context.pointer) == 1,
            EVP_PKEY_fromdata(context.pointer, &key, OSSL_KEYMGMT_SELECT_PUBLIC_KEY, parameters) == 1, let key
        else { throw OpenSSLErrorQueue.failure(to: "make a key of its integers") }
        return PublicKeyObject(takingOwnershipOf: key)
    }

    deinit {
        OSSL_PARAM_BLD_free(builder)
    }
}
