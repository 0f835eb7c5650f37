internal import COpenSSL

/// An RSA private key of at least 2048 bits, parsed once: the one owner of OpenSSL's object.
///
/// `@unchecked Sendable`: the pointer never changes, nobody writes to the object after `init`, and OpenSSL allows a key
/// that is only used to be shared by threads (openssl-threads(7)); its blinding values have a lock of their own.
public final class RSAPrivateKey: @unchecked Sendable {
    /// The shortest modulus RFC 7518 section 3.3 allows for RS256.
    public static let minBits = 2048

    let pointer: OpaquePointer

    /// The modulus's length in bits.
    public var bits: Int { Int(EVP_PKEY_get_bits(pointer)) }

    /// Takes the key whole and frees it in `deinit`, also when it is then found unfit.
    init(takingOwnershipOf pointer: OpaquePointer) throws(KeyError) {
        self.pointer = pointer
        try checkAlgorithm()
        guard bits >= Self.minBits else { throw .tooShort(bits: bits) }
    }

    private func checkAlgorithm() throws(KeyError) {
        // RSASSA-PSS keys are another type (RFC 4055): they may not make the signatures RS256 asks for.
        guard EVP_PKEY_get_base_id(pointer) == EVP_PKEY_RSA else {
            let name = EVP_PKEY_get0_type_name(pointer).map { String(cString: $0) }
            throw .notRSA(algorithm: name ?? "unknown")
        }
    }

    deinit {
        EVP_PKEY_free(pointer)
    }
}
