import Foundation
import OpenSSLCrypto
import TestSupport
import Testing

extension KeyFixture {
    static func key() throws -> RSAPrivateKey { try RSAPrivateKey(pem: Array(pem().utf8)) }
}

extension OpenSSLKey.Kind {
    /// All algorithms that verify with it.
    var algorithms: [JWSAlgorithm] { JWSAlgorithm.allCases.filter { Self(for: $0.rawValue) == self } }
}

extension OpenSSLKey {
    /// The key, read from its JWK.
    func key() throws -> VerificationKey {
        let set = try JWKSet(parsing: Array(JSONSerialization.data(withJSONObject: jwk)))
        #expect(set.skipped == [])
        return try #require(set.keys.first).key
    }

    func sign(
        _ message: [UInt8], by algorithm: JWSAlgorithm, salt: String = "digest", extra: [String] = []
    ) throws -> [UInt8] {
        try sign(message, by: algorithm.rawValue, salt: salt, extra: extra)
    }
}

extension RSAPrivateKey {
    /// The public half as PEM.
    func publicKeyPEM() throws -> String { try publicKey().object.pem() }

    /// Whether the signature is valid for the message, by the public half.
    func verify(_ signature: [UInt8], of message: [UInt8]) throws -> Bool {
        try publicKey().verify(signature, of: message, by: .rs256)
    }
}
