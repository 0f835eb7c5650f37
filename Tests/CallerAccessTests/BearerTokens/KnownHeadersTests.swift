import Testing

@testable import CallerAccess
@testable import StrictJSON

@Suite struct KnownHeadersTests {
    private let headers = KnownHeaders()

    private func remember(_ encoded: String, _ number: Int64) {
        headers.remember(Array(encoded.utf8)[...], ["number": .integer(number)])
    }

    private func known(_ encoded: String) -> JSONValue? {
        headers.members(of: Array(encoded.utf8)[...])?["number"]
    }

    @Test func `a header is found only if every character matches`() {
        remember("eyJhbGciOiJSUzI1NiJ9", 1)
        #expect(known("eyJhbGciOiJSUzI1NiJ9") == .integer(1))
        for other in [
            "", "eyJhbGciOiJSUzI1NiJ", "eyJhbGciOiJSUzI1NiJ9A", "eyJhbGciOiJSUzI1NiJ8", "EyJhbGciOiJSUzI1NiJ9",
        ] {
            #expect(known(other) == nil)
        }
    }

    @Test func `only the last sixteen headers are cached`() {
        for number in 0..<40 { remember("header-\(number)", Int64(number)) }
        for number in 0..<40 { #expect((known("header-\(number)") != nil) == (number >= 24)) }
    }

    @Test func `a long header is not cached`() {
        let long = String(repeating: "x", count: 513)
        remember(long, 1)
        #expect(known(long) == nil)
    }

    @Test func `after a cached header, signature and crit are still checked`() throws {
        let issuer = try TestIssuer()
        let verifier = try BearerTokenVerifier(issuers: [TestIssuer.policy()])
        verifier.replaceKeys(of: TestIssuer.name, with: try issuer.keys())
        let now = TestIssuer.now
        for _ in 0..<2 {
            _ = try verifier.principal(of: issuer.token(claims: ["sub": #""one""#]), at: now)
            let forged = try verifier.refusal(TestIssuer(key: 1).token(claims: ["sub": #""two""#]))
            #expect(forged?.fault == .signatureWrong && forged?.issuer == TestIssuer.name)
            let extended = try verifier.refusal(issuer.token(header: ["crit": #"["exp"]"#]))
            #expect(extended?.fault == .criticalExtension && extended?.issuer == TestIssuer.name)
        }
    }
}
