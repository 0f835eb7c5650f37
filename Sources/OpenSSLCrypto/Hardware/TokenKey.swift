import CPKCS11

/// A private key on a token that can sign now.
package struct OpenedKey: Sendable {
    package let publicKey: VerificationKey
    /// The message's signature by RS256, which is not verified. One thread at a time calls it.
    package let sign: @Sendable ([UInt8]) throws(HardwareKeyError) -> [UInt8]

    /// A key that signs in this way.
    package init(
        publicKey: VerificationKey, sign: @escaping @Sendable ([UInt8]) throws(HardwareKeyError) -> [UInt8]
    ) {
        (self.publicKey, self.sign) = (publicKey, sign)
    }
}

/// The one owner of a session in which one key signs.
///
/// `@unchecked Sendable`: one thread at a time uses it, and any releases it.
final class TokenKey: @unchecked Sendable {
    private let object: UInt
    /// Nil only in `deinit`, to end it before its connection.
    private var session: TokenSession?
    private let connection: TokenConnection

    init(_ object: UInt, _ session: TokenSession, _ connection: TokenConnection) {
        (self.object, self.session, self.connection) = (object, session, connection)
    }

    func sign(_ message: [UInt8]) throws(HardwareKeyError) -> [UInt8] {
        guard let session else { return [] }
        return try session.sign(
            PKCS1Encoding.digestInfo(of: message), by: object, maxBytes: VerificationKey.maxBits / 8)
    }

    deinit { ProcessEnd.whileRunning { session = nil } }
}

extension TokenSession {
    /// The public half of a private key, whose token may have it as an object of its own. Checks what the token says about
    /// the key: some of it would only be noticed by a signature.
    func publicKey(of object: UInt, _ publicObject: UInt?) throws(HardwareKeyError) -> VerificationKey {
        let type = attribute(CKA_KEY_TYPE, of: object)
        guard type == Self.bytes(of: CKK_RSA) else {
            throw .unusable(KeyError.notRSA(algorithm: type == Self.bytes(of: CKK_EC) ? "EC" : "other").sentence)
        }
        guard attribute(CKA_ALWAYS_AUTHENTICATE, of: object) != [1] else { throw .asksForPIN }
        let modulus = Array((attribute(CKA_MODULUS, of: object) ?? []).drop { $0 == 0 })
        let bits = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
        guard bits >= RSAPrivateKey.minBits else { throw .unusable(KeyError.tooShort(bits: bits).sentence) }
        // Not every token stores the exponent with the private key. A wrong one would show in the probe signature.
        let exponent =
            attribute(CKA_PUBLIC_EXPONENT, of: object)
            ?? publicObject.flatMap { attribute(CKA_PUBLIC_EXPONENT, of: $0) } ?? []
        do { return try VerificationKey(modulus: modulus, exponent: exponent.isEmpty ? [1, 0, 1] : exponent) } catch {
            throw .unusable(error.sentence)
        }
    }
}
