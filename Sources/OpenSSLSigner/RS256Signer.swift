import FleetEngineToken
import OpenSSLCrypto

/// Makes RS256 signatures (RFC 7518 section 3.3) in this process, with a service account's key that was checked by a probe
/// signature. The key is an `RSAPrivateKey`, which owns OpenSSL's `EVP_PKEY`.
package final class RS256Signer: TokenSigner {
    /// The service account's e-mail address.
    package let account: String
    /// The key's id.
    package let keyID: String

    private let privateKey: RSAPrivateKey

    /// A signer for the account. Throws if a probe signature does not verify with the key's own public half, so that a
    /// broken key is found at the start and not at the first request.
    package init(account: String, keyID: String, privateKey: RSAPrivateKey) throws(KeyError) {
        self.account = account
        self.keyID = keyID
        self.privateKey = privateKey
        try probe()
    }

    /// The message's signature.
    package func sign(_ message: [UInt8]) throws(SigningError) -> [UInt8] {
        do {
            return try privateKey.sign(message)
        } catch {
            throw SigningError(reason: error.sentence)
        }
    }

    /// Signs a probe text and verifies the signature. Throws if the key does not work.
    package func probe() throws(KeyError) {
        let message = Array("probe of key \(keyID)".utf8)
        let isSound: Bool
        do {
            isSound = try privateKey.verify(privateKey.sign(message), of: message)
        } catch {
            throw .failure(error)
        }
        guard isSound else { throw .probeFailed }
    }

    /// The public half.
    package func publicKey() throws(PublicKeyError) -> VerificationKey {
        try privateKey.publicKey()
    }

    /// The public half as PEM (SubjectPublicKeyInfo), with which tokens can be verified.
    package func publicKeyPEM() throws(OpenSSLFailure) -> String {
        try privateKey.publicKeyPEM()
    }
}

extension RS256Signer {
    /// A signer that needs no credentials: a new RSA-2048 key in memory, and an account that cannot exist because of its
    /// domain `.invalid` (RFC 2606 section 2). Fleet Engine accepts none of its tokens.
    package static func demo() throws(KeyError) -> RS256Signer {
        try RS256Signer(
            account: "demo@not-a-real-project.invalid", keyID: "demo-key", privateKey: RSAPrivateKey.generate())
    }
}
