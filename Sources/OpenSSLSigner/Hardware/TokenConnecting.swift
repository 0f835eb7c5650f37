import OpenSSLCrypto

/// A connection to the tokens of a module; another one in tests.
protocol TokenConnecting: AnyObject {
    /// What tells the token that the URI means from others.
    func token(of uri: PKCS11URI) throws(HardwareKeyError) -> [[UInt8]]
    /// Logs in, finds a key and opens it.
    func open(_ uri: PKCS11URI, _ pin: TokenPIN?) throws(HardwareKeyError) -> OpenedKey
}

extension TokenConnection: TokenConnecting {}
