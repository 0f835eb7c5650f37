internal import COpenSSL

extension RSAPublicKey {
    /// The key of a modulus and an exponent, bytes with the highest first, as a JWK has them (RFC 7518 section 6.3.1).
    public convenience init(modulus: [UInt8], exponent: [UInt8]) throws(PublicKeyError) {
        // Refused before OpenSSL computes with it.
        guard modulus.count * 8 <= Self.maxBits else { throw .unfitLength(bits: modulus.count * 8) }
        OpenSSLErrorQueue.clear()
        let key: OpaquePointer
        do throws(OpenSSLFailure) {
            key = try RSAPublicParameters(BigNumber(modulus), BigNumber(exponent)).newKey()
        } catch {
            throw .unreadable(error)
        }
        try self.init(takingOwnershipOf: key)
    }

    /// The modulus, bytes with the highest first and no zeros before them.
    public func modulus() throws(PublicKeyError) -> [UInt8] {
        try RSAPublicParameters.integer(OSSL_PKEY_PARAM_RSA_N, of: pointer).bytes
    }

    /// The public exponent, bytes with the highest first and no zeros before them.
    public func exponent() throws(PublicKeyError) -> [UInt8] {
        try RSAPublicParameters.integer(OSSL_PKEY_PARAM_RSA_E, of: pointer).bytes
    }
}

extension RSAPrivateKey {
    /// The public half, with nothing of the private one.
    public func publicKey() throws(PublicKeyError) -> RSAPublicKey {
        try RSAPublicKey(
            modulus: RSAPublicParameters.integer(OSSL_PKEY_PARAM_RSA_N, of: pointer).bytes,
            exponent: RSAPublicParameters.integer(OSSL_PKEY_PARAM_RSA_E, of: pointer).bytes)
    }
}
