import COpenSSL

/// An RSA private key of at least 2048 bits, parsed once: the one owner of OpenSSL's object.
///
/// `@unchecked Sendable`: the pointer never changes, the object is not written to after `init`, and OpenSSL lets threads
/// share a key that they only use (openssl-threads(7)). Its blinding values have their own lock.
package final class RSAPrivateKey: @unchecked Sendable {
    /// The shortest modulus RFC 7518 section 3.3 allows for RS256.
    package static let minBits = 2048

    package let pointer: OpaquePointer
    /// Contexts to sign in; nil only if OpenSSL could not set one up, so that the key signs nothing.
    private let contexts: SignatureContexts?

    /// The modulus's length in bits.
    package var bits: Int { Int(EVP_PKEY_get_bits(pointer)) }

    /// Takes ownership of the key and frees it in `deinit`, also if this initialiser then refuses the key.
    package init(takingOwnershipOf pointer: OpaquePointer) throws(KeyError) {
        self.pointer = pointer
        contexts = (try? SignatureContext(signing: .sha256, with: pointer)).map(SignatureContexts.init)
        if let algorithm = KeyAlgorithm.nameUnlessRSA(pointer) { throw .notRSA(algorithm: algorithm) }
        guard bits >= Self.minBits else { throw .tooShort(bits: bits) }
    }

    deinit {
        EVP_PKEY_free(pointer)
    }

    /// The message's signature by RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017 section 8.2), as long as the modulus in bytes.
    package func sign(_ message: [UInt8]) throws(OpenSSLFailure) -> [UInt8] {
        OpenSSLErrorQueue.clear()
        let signature = withUnsafeTemporaryAllocation(byteCount: SHA256Digest.length, alignment: 1) { target in
            guard message.withUnsafeBytes({ ThreadDigest.sha256.digest($0, into: target) }) else {
                return [UInt8]?.none
            }
            return contexts?.use {
                $0.sign(UnsafeRawBufferPointer(target), length: Int(EVP_PKEY_get_size(pointer)))
            } ?? nil
        }
        guard let signature else { throw OpenSSLErrorQueue.failure(to: "sign") }
        return signature
    }
}

/// The algorithm a key is for.
enum KeyAlgorithm {
    /// Its name, such as `EC`; nil if it is RSA. RSASSA-PSS keys are another type (RFC 4055): they must not make RS256
    /// signatures.
    static func nameUnlessRSA(_ key: OpaquePointer) -> String? {
        guard EVP_PKEY_get_base_id(key) != EVP_PKEY_RSA else { return nil }
        return EVP_PKEY_get0_type_name(key).map { String(cString: $0) } ?? "unknown"
    }
}
