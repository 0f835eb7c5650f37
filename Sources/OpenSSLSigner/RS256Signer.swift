import FleetEngineToken
import OpenSSLCrypto

/// Makes RS256 signatures (RFC 7518 section 3.3) with a service account's key, in this process, in another or in hardware,
/// that was checked by a probe signature. The key is an `RSAPrivateKey`, which owns OpenSSL's `EVP_PKEY`.
package final class RS256Signer: TokenSigner {
    /// The service account's e-mail address.
    package let account: String
    /// The key's id.
    package let keyID: String

    private let key: Key

    private enum Key {
        case memory(RSAPrivateKey)
        case hardware(HardwareKey)
        case held(any HeldKey)
    }

    /// A signer for the account. Throws if the key's numbers do not fit together, or a probe signature does not verify with
    /// its own public half, so that a broken key is found at the start and not at the first request.
    package convenience init(account: String, keyID: String, privateKey: RSAPrivateKey) throws(KeyError) {
        guard privateKey.isConsistent else { throw .inconsistent }
        try self.init(account, keyID, .memory(privateKey))
    }

    /// The same for a key in hardware.
    package convenience init(account: String, keyID: String, hardwareKey: HardwareKey) throws(KeyError) {
        try self.init(account, keyID, .hardware(hardwareKey))
    }

    /// The same for a key that another process of this program holds.
    package convenience init(account: String, keyID: String, heldKey: any HeldKey) throws(KeyError) {
        try self.init(account, keyID, .held(heldKey))
    }

    private init(_ account: String, _ keyID: String, _ key: Key) throws(KeyError) {
        (self.account, self.keyID, self.key) = (account, keyID, key)
        try probe()
    }

    /// The key if another process holds it; otherwise nil.
    package var held: (any HeldKey)? { if case .held(let key) = key { key } else { nil } }

    /// The key if it is in this process; otherwise nil.
    package var inMemory: RSAPrivateKey? { if case .memory(let key) = key { key } else { nil } }

    /// The same key for callers that must not block; nil if it is not in hardware.
    package var inHardware: HardwareTokenSigner? {
        guard case .hardware(let key) = key else { return nil }
        return HardwareTokenSigner(account: account, keyID: keyID, key)
    }

    /// The message's signature. Blocks for as long as hardware takes, at most some seconds.
    package func sign(_ message: [UInt8]) throws(SigningError) -> [UInt8] {
        switch key {
        case .memory(let key):
            do {
                return try key.sign(message)
            } catch {
                throw SigningError(reason: error.sentence)
            }
        case .hardware(let key): return try key.sign(message)
        case .held(let key): return try key.sign(message)
        }
    }

    /// Signs a probe text and verifies the signature. Throws if the key does not work.
    package func probe() throws(KeyError) {
        guard try isSound(Self.probeText(keyID: keyID)) else { throw .probeFailed }
    }

    /// What is signed as a probe: because of its spaces never a token.
    package static func probeText(keyID: String) -> [UInt8] { Array("probe of key \(keyID)".utf8) }

    private func isSound(_ message: [UInt8]) throws(KeyError) -> Bool {
        switch key {
        case .memory(let key):
            do {
                return try key.verify(key.sign(message), of: message)
            } catch {
                throw .failure(error)
            }
        case .hardware(let key):
            do {
                return try key.publicKey.verify(key.sign(message), of: message, by: .rs256)
            } catch {
                throw .unavailable(reason: error.reason)
            }
        case .held(let key):
            do {
                return try key.publicKey.verify(key.sign(message), of: message, by: .rs256)
            } catch {
                throw .unavailable(reason: error.reason)
            }
        }
    }

    /// The public half.
    package func publicKey() throws(PublicKeyError) -> VerificationKey {
        switch key {
        case .memory(let key): try key.publicKey()
        case .hardware(let key): key.publicKey
        case .held(let key): key.publicKey
        }
    }

    /// The public half as PEM (SubjectPublicKeyInfo), with which tokens can be verified.
    package func publicKeyPEM() throws(OpenSSLFailure) -> String {
        switch key {
        case .memory(let key): try key.publicKeyPEM()
        case .hardware(let key): try key.publicKey.object.pem()
        case .held(let key): try key.publicKey.object.pem()
        }
    }
}

/// A key that another process holds, as the process sees it that asks for signatures.
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
