import COpenSSL

/// A public key by which signatures are verified, parsed and found fit once: RSA, P-256, P-384 or Ed25519.
///
/// `@unchecked Sendable`: the object never changes after `init`, and OpenSSL allows a key that is only used to be shared by
/// threads (openssl-threads(7)).
package final class VerificationKey: @unchecked Sendable {
    /// The longest modulus that OpenSSL verifies with; longer ones would only cost time.
    package static let maxBits = 16_384

    package let object: PublicKeyObject
    /// Bytes of a signature.
    private let signatureBytes: Int
    private let verifiers: [(algorithm: JWSAlgorithm, verifier: any SignatureVerifier)]

    /// A key of the type, which its maker has found fit.
    package init(_ object: PublicKeyObject, _ type: KeyType) throws(PublicKeyError) {
        var verifiers: [(JWSAlgorithm, any SignatureVerifier)] = []
        for algorithm in type.algorithms {
            do {
                verifiers.append((algorithm, try algorithm.verifier(by: object.pointer)))
            } catch {
                throw .unreadable(error)
            }
        }
        (self.object, self.verifiers) = (object, verifiers)
        signatureBytes = type.curve.map { 2 * $0.coordinateBytes } ?? Int(EVP_PKEY_get_size(object.pointer))
    }

    /// Whether the algorithm is one for keys of this type.
    package func verifies(by algorithm: JWSAlgorithm) -> Bool { verifiers.contains { $0.algorithm == algorithm } }

    /// Whether the signature, in the form of RFC 7518 section 3 or RFC 8037 section 3.1, is the message's by the
    /// algorithm; never by one for another type of key.
    package func verify(_ signature: [UInt8], of message: [UInt8], by algorithm: JWSAlgorithm) -> Bool {
        // OpenSSL by itself takes RSASSA-PSS signatures without the zeros they begin with.
        guard signature.count == signatureBytes else { return false }
        for known in verifiers where known.algorithm == algorithm {
            let isECDSA = algorithm == .es256 || algorithm == .es384
            return known.verifier.verify(isECDSA ? ECDSASignature.der(signature) : signature, of: message)
        }
        return false
    }
}

extension JWSAlgorithm {
    /// What verifies by the algorithm and the key, which is of the algorithm's type.
    fileprivate func verifier(by key: OpaquePointer) throws(OpenSSLFailure) -> any SignatureVerifier {
        guard let digest else { return try WholeMessageVerifier(by: key) }
        return try DigestVerifier(self, digest, by: key)
    }
}

/// The one owner of OpenSSL's object of a public key.
package final class PublicKeyObject {
    let pointer: OpaquePointer

    /// Takes the key and frees it in `deinit`.
    init(takingOwnershipOf pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        EVP_PKEY_free(pointer)
    }
}

/// A signature by ECDSA, two integers r and s.
enum ECDSASignature {
    /// The signature as OpenSSL reads it (X.690 DER, RFC 3279 section 2.2.3), out of r and s with the highest byte first
    /// and the same length (RFC 7518 section 3.4), each of at most 48 bytes: then DER writes every length in one byte.
    static func der(_ signature: [UInt8]) -> [UInt8] {
        let half = signature.count / 2
        let integers = integer(signature.prefix(half)) + integer(signature.suffix(half))
        return [0x30, UInt8(integers.count)] + integers
    }

    /// The shortest form: no zeros before it, but for one where it would be negative or nothing.
    private static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let digits = bytes.drop { $0 == 0 }
        let needsZero = digits.first ?? 0x80 >= 0x80
        return [0x02, UInt8(digits.count + (needsZero ? 1 : 0))] + (needsZero ? [0] : []) + digits
    }
}
