import COpenSSL

extension RSAPrivateKey {
    /// The message's signature by RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017 section 8.2), as long as the modulus.
    package func sign(_ message: [UInt8]) throws(OpenSSLFailure) -> [UInt8] {
        OpenSSLErrorQueue.clear()
        let context = try DigestContext()
        var count = Int(EVP_PKEY_get_size(pointer))
        var signature = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSignInit(context.pointer, nil, EVP_sha256(), nil, pointer) == 1,
            EVP_DigestSign(context.pointer, &signature, &count, message, message.count) == 1,
            count == signature.count
        else { throw OpenSSLErrorQueue.failure(to: "sign") }
        return signature
    }

    /// Whether the signature is the message's, by the public half.
    package func verify(_ signature: [UInt8], of message: [UInt8]) throws(OpenSSLFailure) -> Bool {
        try DigestVerifier(.rs256, .sha256, by: pointer).verify(signature, of: message)
    }
}
