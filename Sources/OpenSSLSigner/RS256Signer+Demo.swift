import OpenSSLCrypto

extension RS256Signer {
    /// A signer that needs no credentials: a new RSA-2048 key in memory under an account that cannot exist, since the
    /// domain `.invalid` never does (RFC 2606 section 2). Fleet Engine accepts none of its tokens.
    package static func demo() throws(KeyError) -> RS256Signer {
        try RS256Signer(
            account: "demo@not-a-real-project.invalid", keyID: "demo-key", privateKey: RSAPrivateKey.generate())
    }
}
