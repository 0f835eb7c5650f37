import CallerAccess
import Foundation
import OpenSSLCrypto
import StrictJSON
import TestSupport
import Testing

@Suite struct IssuerKeyTests {
    private func set(_ issuers: TestIssuer...) throws -> JWKSet {
        try JWKSet(parsing: JWKSet.render(issuers.map { (keyID: $0.keyID, publicKey: try $0.key.publicKey()) }))
    }

    @Test func `a kid selects its key, and no other is tried`() throws {
        let (one, other) = (try TestIssuer(), try TestIssuer(key: 1, keyID: "k2"))
        let verifier = try one.verifier()
        verifier.replaceKeys(of: TestIssuer.name, with: try set(one, other))
        #expect(verifier.fault(try one.token()) == nil)
        #expect(verifier.fault(try other.token()) == nil)
        #expect(verifier.fault(try other.token(header: ["kid": #""k1""#])) == .signatureWrong)
    }

    @Test func `a token without kid needs an issuer with exactly one key`() throws {
        let (one, other) = (try TestIssuer(), try TestIssuer(key: 1, keyID: "k2"))
        let verifier = try one.verifier()
        let token = try one.token(header: ["kid": nil])
        #expect(verifier.fault(token) == nil)
        verifier.replaceKeys(of: TestIssuer.name, with: try set(one, other))
        #expect(verifier.fault(token) == .keyIDMissing)
        verifier.replaceKeys(of: TestIssuer.name, with: try JWKSet(parsing: Array(#"{"keys":[]}"#.utf8)))
        #expect(verifier.fault(token) == .keyIDMissing)
    }

    @Test func `of keys with one kid, the token's alg chooses`() throws {
        let (one, other) = (try TestIssuer(), try TestIssuer(key: 1))
        let (first, second) = (try one.publicKey(), try other.publicKey())
        let point = try OpenSSLKey.shared(.p256).jwk.merging(["kid": "k1"]) { $1 }
        let algorithms: [JWSAlgorithm] = [.rs256, .ps256, .es256]
        for keys in [
            [first, point], [point, first], [first, first], [first, first.merging(["alg": "PS256"]) { $1 }],
            [first.merging(["alg": "PS256"]) { $1 }, first], [second, first],
        ] {
            let verifier = try BearerTokenVerifier(issuers: [TestIssuer.policy(algorithms: algorithms)])
            verifier.replaceKeys(of: TestIssuer.name, with: try set(keys))
            #expect(verifier.fault(try one.token()) == nil, "\(keys)")
            #expect(verifier.fault(try one.token(header: ["alg": #""ES256""#])) != nil)
            let unnamed = try one.token(header: ["kid": nil])
            #expect(verifier.fault(unnamed) == (keys[0] == second ? .keyIDMissing : nil))
        }
    }

    @Test func `a token without kid whose alg fits no key is refused`() throws {
        let verifier = try BearerTokenVerifier(issuers: [TestIssuer.policy()])
        verifier.replaceKeys(of: TestIssuer.name, with: try set([OpenSSLKey.shared(.p256).jwk]))
        #expect(verifier.fault(try TestIssuer().token(header: ["kid": nil])) == .algorithmNotOfKey)
    }

    private func set(_ keys: [[String: String]]) throws -> JWKSet {
        try JWKSet(parsing: Array(JSONSerialization.data(withJSONObject: ["keys": keys])))
    }

    @Test func `kids are compared byte for byte`() throws {
        let composed = try TestIssuer(keyID: "caf\u{E9}")
        let verifier = try composed.verifier()
        #expect(verifier.fault(try composed.token()) == nil)
        #expect(verifier.fault(try composed.token(header: ["kid": "\"cafe\u{301}\""])) == .keyUnknown)
    }

    @Test func `a cached token is refused after its key is replaced`() throws {
        let (old, new) = (try TestIssuer(), try TestIssuer(key: 1))
        let verifier = try old.verifier()
        let token = try old.token()
        #expect(verifier.fault(token) == nil)
        verifier.replaceKeys(of: TestIssuer.name, with: try new.keys())
        #expect(verifier.fault(token) == .signatureWrong)
        #expect(verifier.fault(try new.token()) == nil)
        verifier.replaceKeys(of: TestIssuer.name, with: try set(old, TestIssuer(key: 1, keyID: "k2")))
        #expect(verifier.fault(token) == nil)
        #expect(verifier.fault(try new.token()) == .signatureWrong)
    }

    @Test func `replacing one issuer's keys does not affect another's tokens`() throws {
        let (one, other) = (try TestIssuer(), try TestIssuer(key: 1))
        let second = "https://other.example"
        let verifier = try BearerTokenVerifier(issuers: [TestIssuer.policy(), TestIssuer.policy(issuer: second)])
        verifier.replaceKeys(of: TestIssuer.name, with: try one.keys())
        verifier.replaceKeys(of: second, with: try other.keys())
        let token = try other.token(claims: ["iss": "\"\(second)\""])
        #expect(verifier.fault(token) == nil)
        verifier.replaceKeys(of: TestIssuer.name, with: try other.keys())
        #expect(verifier.fault(token) == nil)
    }
}

extension TestIssuer {
    /// Its public key as a JWK for RS256.
    fileprivate func publicKey() throws -> [String: String] {
        let modulus = try key.publicKey().modulus()
        return [
            "kty": "RSA", "kid": keyID, "alg": "RS256", "e": "AQAB",
            "n": String(decoding: Base64URL.encode(modulus), as: UTF8.self),
        ]
    }
}
