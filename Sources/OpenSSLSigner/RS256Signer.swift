import FleetEngineToken
import OpenSSLCrypto

/// Makes RS256 signatures (RFC 7518 section 3.3) with a service account's key, in this process, in another or in hardware,
/// that was checked by a probe signature. The key is an `RSAPrivateKey`, which owns OpenSSL's `EVP_PKEY`.
package final class RS256Signer: TokenSigner {
    /// The service account's e-mail address.
    package let account: String
    /// The key's id.
    package let keyID: String
    /// The key if it is in this process; otherwise nil.
    package let inMemory: RSAPrivateKey?
    /// The key if another process or hardware holds it; otherwise nil.
    package let held: (any HeldKey)?
    /// The public half, with which tokens can be verified.
    package let publicKey: VerificationKey

    /// A signer for the account. Throws if the key's numbers do not fit together, or a probe signature does not verify with
    /// its own public half, so that a broken key is found at the start and not at the first request.
    package convenience init(account: String, keyID: String, privateKey: RSAPrivateKey) throws(KeyError) {
        guard privateKey.isConsistent else { throw .inconsistent }
        let publicKey: VerificationKey
        do { publicKey = try privateKey.publicKey() } catch { throw .unavailable(reason: error.sentence) }
        try self.init(account, keyID, privateKey, nil, publicKey)
    }

    /// The same for a key in hardware, or of another process of this program.
    package convenience init(account: String, keyID: String, heldKey: any HeldKey) throws(KeyError) {
        try self.init(account, keyID, nil, heldKey, heldKey.publicKey)
    }

    private init(
        _ account: String, _ keyID: String, _ inMemory: RSAPrivateKey?, _ held: (any HeldKey)?,
        _ publicKey: VerificationKey
    ) throws(KeyError) {
        (self.account, self.keyID, self.publicKey) = (account, keyID, publicKey)
        (self.inMemory, self.held) = (inMemory, held)
        try probe()
    }

    /// The same key for callers that must not block; nil if it is not in hardware.
    package var inHardware: HardwareTokenSigner? {
        (held as? HardwareKey).map { HardwareTokenSigner(account: account, keyID: keyID, $0) }
    }

    /// The message's signature. Blocks for as long as hardware takes, at most some seconds.
    package func sign(_ message: [UInt8]) throws(SigningError) -> [UInt8] {
        guard let inMemory else { return try held?.sign(message) ?? [] }
        do { return try inMemory.sign(message) } catch { throw SigningError(reason: error.sentence) }
    }

    /// Signs a probe text and verifies the signature. Throws if the key does not work.
    package func probe() throws(KeyError) {
        let message = Self.probeText(keyID: keyID)
        let signature: [UInt8]
        do { signature = try sign(message) } catch { throw .unavailable(reason: error.reason) }
        guard publicKey.verify(signature, of: message, by: .rs256) else { throw .probeFailed }
    }

    /// What is signed as a probe: because of its spaces never a token.
    package static func probeText(keyID: String) -> [UInt8] { Array("probe of key \(keyID)".utf8) }

    /// The public half as PEM (SubjectPublicKeyInfo).
    package func publicKeyPEM() throws(OpenSSLFailure) -> String { try publicKey.object.pem() }
}

/// A key that hardware or another process holds.
package protocol HeldKey: Sendable {
    /// The public half.
    var publicKey: VerificationKey { get }
    /// The message's signature, which was verified.
    func sign(_ message: [UInt8]) throws(SigningError) -> [UInt8]
}

extension RS256Signer {
    /// A signer that needs no credentials: a new RSA-2048 key in memory, and an account that cannot exist because of its
    /// domain `.invalid` (RFC 2606 section 2). Fleet Engine accepts none of its tokens.
    package static func demo() throws(KeyError) -> RS256Signer {
        try RS256Signer(
            account: "demo@not-a-real-project.invalid", keyID: "demo-key", privateKey: RSAPrivateKey.generate())
    }
}
