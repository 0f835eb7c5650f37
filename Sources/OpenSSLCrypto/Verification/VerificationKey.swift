import COpenSSL

/// A public key that verifies signatures, parsed and checked once: RSA, P-256, P-384 or Ed25519. With its
/// `PublicKeyObject` it owns OpenSSL's `EVP_PKEY`.
///
/// `@unchecked Sendable`: the object never changes after `init`, and OpenSSL lets threads share a key that they only use
/// (openssl-threads(7)).
package final class VerificationKey: @unchecked Sendable {
    /// The longest modulus, in bits, that OpenSSL verifies with.
    package static let maxBits = 16_384

    let type: KeyType
    /// The owner of OpenSSL's object.
    package let object: PublicKeyObject
    /// The length of a signature in bytes.
    private let signatureBytes: Int
    private let verifiers: [(algorithm: JWSAlgorithm, verifier: any SignatureVerifier)]

    /// A key that the caller has checked and that is of this type.
    package init(_ object: PublicKeyObject, _ type: KeyType) throws(PublicKeyError) {
        var verifiers: [(JWSAlgorithm, any SignatureVerifier)] = []
        for algorithm in type.algorithms {
            do { verifiers.append((algorithm, try algorithm.verifier(by: object.pointer))) } catch {
                throw .unreadable(error)
            }
        }
        (self.object, self.type, self.verifiers) = (object, type, verifiers)
        signatureBytes = type.curve.map { 2 * $0.coordinateBytes } ?? Int(EVP_PKEY_get_size(object.pointer))
    }

    /// Whether both are the same key.
    package func isSame(as other: VerificationKey) -> Bool { EVP_PKEY_eq(object.pointer, other.object.pointer) == 1 }

    /// Whether the algorithm is for keys of this type.
    package func verifies(by algorithm: JWSAlgorithm) -> Bool { verifiers.contains { $0.algorithm == algorithm } }

    /// Whether the signature, in the form of RFC 7518 section 3 or RFC 8037 section 3.1, is valid for the message. False
    /// for an algorithm that is for another type of key.
    package func verify(_ signature: [UInt8], of message: [UInt8], by algorithm: JWSAlgorithm) -> Bool {
        // OpenSSL itself also accepts RSASSA-PSS signatures without their leading zeros.
        guard signature.count == signatureBytes else { return false }
        for known in verifiers where known.algorithm == algorithm {
            let isECDSA = algorithm == .es256 || algorithm == .es384
            return known.verifier.verify(isECDSA ? ECDSASignature.der(signature) : signature, of: message)
        }
        return false
    }
}

extension JWSAlgorithm {
    /// The verifier for the algorithm and a key of the algorithm's type.
    fileprivate func verifier(by key: OpaquePointer) throws(OpenSSLFailure) -> any SignatureVerifier {
        guard let digest else { return try WholeMessageVerifier(by: key) }
        return try DigestVerifier(self, digest, by: key)
    }
}

/// The one owner of OpenSSL's object (`EVP_PKEY`) for a public key.
package final class PublicKeyObject {
    let pointer: OpaquePointer

    /// Takes ownership of the key and frees it in `deinit`.
    init(takingOwnershipOf pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// The key as PEM (SubjectPublicKeyInfo, RFC 7468 section 13).
    package func pem() throws(OpenSSLFailure) -> String {
        OpenSSLErrorQueue.clear()
        let bio = try MemoryBIO()
        guard PEM_write_bio_PUBKEY(bio.pointer, pointer) == 1 else {
            throw OpenSSLErrorQueue.failure(to: "write the public key")
        }
        return String(decoding: bio.read(), as: UTF8.self)
    }

    /// The same in DER.
    func form() throws(OpenSSLFailure) -> [UInt8] {
        OpenSSLErrorQueue.clear()
        let bio = try MemoryBIO()
        guard i2d_PUBKEY_bio(bio.pointer, pointer) == 1 else {
            throw OpenSSLErrorQueue.failure(to: "write the public key")
        }
        return bio.read()
    }

    deinit {
        EVP_PKEY_free(pointer)
    }
}

/// A signature by ECDSA: two integers r and s.
enum ECDSASignature {
    /// The signature as OpenSSL reads it (X.690 DER, RFC 3279 section 2.2.3), from r and s with the most significant byte
    /// first and the same length (RFC 7518 section 3.4). Each has at most 48 bytes, so DER needs one byte for a length.
    static func der(_ signature: [UInt8]) -> [UInt8] {
        let half = signature.count / 2
        let integers = integer(signature.prefix(half)) + integer(signature.suffix(half))
        return [0x30, UInt8(integers.count)] + integers
    }

    /// The shortest form: no leading zeros, except for one if the integer would otherwise be negative or empty.
    private static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let digits = bytes.drop { $0 == 0 }
        let needsZero = digits.first ?? 0x80 >= 0x80
        return [0x02, UInt8(digits.count + (needsZero ? 1 : 0))] + (needsZero ? [0] : []) + digits
    }
}
