internal import COpenSSL

/// A public key by which signatures are verified, parsed and found fit once: RSA, P-256, P-384 or Ed25519.
///
/// `@unchecked Sendable`: the object and the contexts never change after `init`; a context is only ever copied, which
/// reads it, and OpenSSL allows a key that is only used to be shared by threads (openssl-threads(7)).
public final class VerificationKey: @unchecked Sendable {
    /// The longest modulus that OpenSSL verifies with; longer ones would only cost time.
    public static let maxBits = 16_384

    let object: PublicKeyObject
    /// Bytes of a signature.
    private let signatureBytes: Int
    /// A context for each algorithm of the type, set up once: that costs a fifth of a verification by RS256.
    private let contexts: [JWSAlgorithm: DigestContext]

    /// A key of the type, which its maker has found fit.
    init(_ object: PublicKeyObject, _ type: KeyType) throws(PublicKeyError) {
        var contexts: [JWSAlgorithm: DigestContext] = [:]
        for algorithm in type.algorithms {
            do {
                contexts[algorithm] = try DigestContext(verifying: algorithm, by: object.pointer)
            } catch {
                throw .unreadable(error)
            }
        }
        (self.object, self.contexts) = (object, contexts)
        signatureBytes = type.curve.map { 2 * $0.coordinateBytes } ?? Int(EVP_PKEY_get_size(object.pointer))
    }

    /// Whether the signature, in the form of RFC 7518 section 3 or RFC 8037 section 3.1, is the message's by the
    /// algorithm; never by one for another type of key.
    public func verify(_ signature: [UInt8], of message: [UInt8], by algorithm: JWSAlgorithm) -> Bool {
        // OpenSSL by itself takes RSASSA-PSS signatures without the zeros they begin with.
        guard let prepared = contexts[algorithm], signature.count == signatureBytes,
            let context = try? prepared.copy()
        else { return false }
        let isECDSA = algorithm == .es256 || algorithm == .es384
        return context.verify(isECDSA ? ECDSASignature.der(signature) : signature, of: message)
    }
}
