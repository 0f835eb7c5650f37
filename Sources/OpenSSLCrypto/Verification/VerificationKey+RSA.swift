import COpenSSL

extension VerificationKey {
    /// The longest exponent in bytes. OpenSSL refuses longer ones for a modulus over 3072 bits.
    private static let maxExponentBytes = 8

    /// The RSA key with a modulus and an exponent, the most significant byte first, as in a JWK (RFC 7518 section 6.3.1).
    package convenience init(modulus: [UInt8], exponent: [UInt8]) throws(PublicKeyError) {
        // Refused before OpenSSL computes with it.
        guard modulus.count * 8 <= Self.maxBits else { throw .unfitLength(bits: modulus.count * 8) }
        OpenSSLErrorQueue.clear()
        let key: PublicKeyObject
        do { key = try RSAPublicParameters(BigNumber(modulus), BigNumber(exponent)).key() } catch {
            throw .unreadable(error)
        }
        try self.init(rsa: key)
    }

    /// Accepts an RSA key that is suitable for RS256 and similar algorithms (RFC 7518 sections 3.3 and 3.5).
    package convenience init(rsa key: PublicKeyObject) throws(PublicKeyError) {
        if let algorithm = KeyAlgorithm.nameUnlessRSA(key.pointer) { throw .notRSA(algorithm: algorithm) }
        let bits = Int(EVP_PKEY_get_bits(key.pointer))
        guard (RSAPrivateKey.minBits...Self.maxBits).contains(bits) else { throw .unfitLength(bits: bits) }
        let modulus = try key.integer(OSSL_PKEY_PARAM_RSA_N)
        guard let lowest = modulus.last, lowest % 2 == 1 else { throw .evenModulus }
        let exponent = try key.integer(OSSL_PKEY_PARAM_RSA_E)
        // With the exponent 1 every message would be its own signature, and an even exponent has no inverse.
        guard exponent != [1], let last = exponent.last, last % 2 == 1, exponent.count <= Self.maxExponentBytes else {
            throw .unfitExponent
        }
        try self.init(key, .rsa)
    }

    /// An RSA key's modulus, the most significant byte first, without leading zeros.
    package func modulus() throws(PublicKeyError) -> [UInt8] { try object.integer(OSSL_PKEY_PARAM_RSA_N) }

    /// An RSA key's public exponent, the most significant byte first, without leading zeros.
    package func exponent() throws(PublicKeyError) -> [UInt8] { try object.integer(OSSL_PKEY_PARAM_RSA_E) }
}

extension PublicKeyObject {
    /// One of a key's integers, by OpenSSL's name for it: the most significant byte first, without leading zeros.
    fileprivate func integer(_ name: String) throws(PublicKeyError) -> [UInt8] {
        try Self.integer(name, of: pointer)
    }

    fileprivate static func integer(_ name: String, of key: OpaquePointer) throws(PublicKeyError) -> [UInt8] {
        OpenSSLErrorQueue.clear()
        guard let number = BigNumber(name, of: key) else {
            throw .unreadable(OpenSSLErrorQueue.failure(to: "read the key's integers"))
        }
        return number.bytes
    }
}

extension RSAPrivateKey {
    /// The public half, without anything of the private half.
    package func publicKey() throws(PublicKeyError) -> VerificationKey {
        try VerificationKey(
            modulus: PublicKeyObject.integer(OSSL_PKEY_PARAM_RSA_N, of: pointer),
            exponent: PublicKeyObject.integer(OSSL_PKEY_PARAM_RSA_E, of: pointer))
    }
}
