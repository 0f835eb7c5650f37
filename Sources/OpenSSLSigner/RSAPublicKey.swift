internal import COpenSSL

/// An RSA public key fit for RS256 (RFC 7518 section 3.3), parsed once: the one owner of OpenSSL's object.
///
/// `@unchecked Sendable`: the pointer never changes, nobody writes to the object after `init`, and OpenSSL allows a key
/// that is only used to be shared by threads (openssl-threads(7)).
public final class RSAPublicKey: @unchecked Sendable {
    /// The longest modulus that OpenSSL verifies with; longer ones would only cost time.
    public static let maxBits = 16_384

    let pointer: OpaquePointer

    /// The modulus's length in bits.
    public var bits: Int { Int(EVP_PKEY_get_bits(pointer)) }

    /// Takes the key whole and frees it in `deinit`, also when it is then found unfit.
    init(takingOwnershipOf pointer: OpaquePointer) throws(PublicKeyError) {
        self.pointer = pointer
        if let algorithm = KeyAlgorithm.nameUnlessRSA(pointer) { throw .notRSA(algorithm: algorithm) }
        guard (RSAPrivateKey.minBits...Self.maxBits).contains(bits) else { throw .unfitLength(bits: bits) }
        // By the exponent 1 every message would be its own signature, and an even one has no inverse.
        let exponent = try exponent()
        guard exponent != [1], let last = exponent.last, last % 2 == 1 else { throw .unfitExponent }
    }

    /// Whether the signature is the message's by RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017 section 8.2).
    public func verify(_ signature: [UInt8], of message: [UInt8]) throws(OpenSSLFailure) -> Bool {
        try DigestContext.verify(signature, of: message, by: pointer)
    }

    deinit {
        EVP_PKEY_free(pointer)
    }
}
