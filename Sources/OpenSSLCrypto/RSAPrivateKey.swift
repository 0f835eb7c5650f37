import COpenSSL

/// An RSA private key of at least 2048 bits, parsed once: the one owner of OpenSSL's object.
///
/// `@unchecked Sendable`: the pointer never changes, nobody writes to the object after `init`, and OpenSSL allows a key
/// that is only used to be shared by threads (openssl-threads(7)); its blinding values have a lock of their own.
package final class RSAPrivateKey: @unchecked Sendable {
    /// The shortest modulus RFC 7518 section 3.3 allows for RS256.
    package static let minBits = 2048

    package let pointer: OpaquePointer

    /// The modulus's length in bits.
    package var bits: Int { Int(EVP_PKEY_get_bits(pointer)) }

    /// Takes the key whole and frees it in `deinit`, also when it is then found unfit.
    package init(takingOwnershipOf pointer: OpaquePointer) throws(KeyError) {
        self.pointer = pointer
        if let algorithm = KeyAlgorithm.nameUnlessRSA(pointer) { throw .notRSA(algorithm: algorithm) }
        guard bits >= Self.minBits else { throw .tooShort(bits: bits) }
    }

    deinit {
        EVP_PKEY_free(pointer)
    }
}
