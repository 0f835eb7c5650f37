import OpenSSLCrypto

/// A connection to the tokens of a module; another one in tests.
protocol TokenConnecting: AnyObject {
    /// What tells the token that the URI means from others.
    func token(of uri: PKCS11URI) throws(HardwareKeyError) -> [[UInt8]]
    /// Logs in and finds a key; its modulus tells whether it is the same as before.
    func modulus(of uri: PKCS11URI, _ pin: TokenPIN?) throws(HardwareKeyError) -> [UInt8]
    /// Logs in, finds a key and opens it.
    func open(_ uri: PKCS11URI, _ pin: TokenPIN?) throws(HardwareKeyError) -> OpenedKey
}

/// A key that can sign now.
struct OpenedKey: Sendable {
    let publicKey: VerificationKey
    let sign: @Sendable ([UInt8]) throws(OpenSSLFailure) -> [UInt8]
}

extension TokenConnection: TokenConnecting {
    func open(_ uri: PKCS11URI, _ pin: TokenPIN?) throws(HardwareKeyError) -> OpenedKey {
        let key = try key(uri, pin)
        do throws(PublicKeyError) {
            return OpenedKey(publicKey: try key.publicKey()) { message throws(OpenSSLFailure) in try key.sign(message) }
        } catch {
            throw .unusable("\(error)")
        }
    }
}
