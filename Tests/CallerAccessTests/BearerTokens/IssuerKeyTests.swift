import CallerAccess
import OpenSSLCrypto
import Testing

@Suite struct IssuerKeyTests {
    private func set(_ issuers: TestIssuer...) throws -> JWKSet {
        try JWKSet(parsing: JWKSet.render(issuers.map { (keyID: $0.keyID, publicKey: try $0.key.publicKey()) }))
    }

    @Test func `a kid selects exactly one key, and no other is tried`() throws {
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
