import OpenSSLCrypto
import Testing

@testable import CallerAccess

/// JWT-SVIDs of the trust domain example.org.
@Suite struct SPIFFETests {
    private static let id = "spiffe://example.org/ns/fleet/sa/dispatch"

    private func policy(
        _ domain: String = "example.org", _ algorithms: [JWSAlgorithm] = [.rs256]
    ) throws -> IssuerPolicy {
        try .spiffe(domain, audiences: [TestIssuer.audience], algorithms: algorithms)
    }

    private func verifier(_ issuer: TestIssuer, beside others: [IssuerPolicy] = []) throws -> BearerTokenVerifier {
        let verifier = try BearerTokenVerifier(issuers: others + [policy()])
        for policy in others { verifier.replaceKeys(of: policy.issuer, with: try issuer.keys()) }
        verifier.replaceKeys(of: "spiffe://example.org", with: try issuer.keys())
        return verifier
    }

    @Test func `the caller is the SPIFFE id, whatever the path's characters`() throws {
        let issuer = try TestIssuer()
        let verifier = try verifier(issuer)
        for id in [Self.id, "spiffe://example.org/a", "spiffe://example.org/A.b-c_9/..."] {
            for type in [nil, #""JWT""#, #""JOSE""#] {
                let token = try issuer.token(header: ["typ": type], claims: ["iss": nil, "sub": "\"\(id)\""])
                let principal = try verifier.principal(of: token, at: TestIssuer.now)
                #expect(principal.name == id && principal.source == .jwt(issuer: "spiffe://example.org"))
            }
        }
    }

    @Test(arguments: [
        "spiffe://example.org/", "spiffe://example.org//a", "spiffe://example.org/a/", "spiffe://example.org/a//b",
        "spiffe://example.org/.", "spiffe://example.org/../a", "spiffe://example.org/a/./b",
        "spiffe://example.org/a%20b", "spiffe://example.org/a?b", "spiffe://example.org/a#b",
        "spiffe://example.org/a b",
        "spiffe://example.org/\u{e9}",
    ])
    func `a sub in the trust domain must be a SPIFFE id`(subject: String) throws {
        let issuer = try TestIssuer()
        let token = try issuer.token(claims: ["iss": nil, "sub": "\"\(subject)\""])
        #expect(try verifier(issuer).fault(token) == .subjectMalformed)
    }

    @Test(arguments: [
        "spiffe://example.org", "spiffe://example.org.evil/a", "spiffe://other.org/a", "SPIFFE://example.org/a",
        "spiffe://Example.org/a", "spiffe://user@example.org/a", "spiffe://example.org:1/a", "/a", "",
    ])
    func `a token without iss of another trust domain is of no issuer`(subject: String) throws {
        let issuer = try TestIssuer()
        let refusal = try verifier(issuer).refusal(issuer.token(claims: ["iss": nil, "sub": "\"\(subject)\""]))
        #expect(refusal?.fault == .issuerMalformed && refusal?.isOfOthers == true)
    }

    @Test func `iss and sub never replace each other`() throws {
        let issuer = try TestIssuer()
        let verifier = try verifier(issuer, beside: [TestIssuer.policy()])
        #expect(verifier.fault(try issuer.token(claims: ["sub": "\"\(Self.id)\""])) == nil)
        let ofID = try issuer.token(claims: ["iss": "\"spiffe://example.org\"", "sub": "\"\(Self.id)\""])
        #expect(verifier.fault(ofID) == .issuerUnknown)
        #expect(verifier.fault(try issuer.token(claims: ["iss": "null", "sub": "\"\(Self.id)\""])) == .issuerMalformed)
    }

    @Test func `aud, exp, typ and the signature are required as of any issuer`() throws {
        let (issuer, other) = (try TestIssuer(), try TestIssuer(key: 1))
        let verifier = try verifier(issuer)
        let own: [String: String?] = ["iss": nil, "sub": "\"\(Self.id)\""]
        func fault(_ change: [String: String?], header: [String: String?] = [:]) throws -> BearerTokenFault? {
            verifier.fault(try issuer.token(header: header, claims: own.merging(change) { $1 }))
        }
        #expect(try fault([:]) == nil)
        #expect(try fault(["aud": nil]) == .audienceMissing)
        #expect(try fault(["aud": "\"x\""]) == .audienceWrong)
        #expect(try fault(["exp": nil]) == .expiryMissing)
        #expect(try fault([:], header: ["typ": "\"at+jwt\""]) == .typeUnexpected)
        #expect(try fault([:], header: ["alg": "\"none\""]) == .algorithmNotAllowed)
        #expect(verifier.fault(try other.token(claims: own)) == .signatureWrong)
    }

    @Test func `trust domains and algorithms that SPIFFE does not have are refused`() throws {
        let long = String(repeating: "a", count: 256)
        for domain in ["", "Example.org", "spiffe://example.org", "a/b", "a:1", "\u{e9}", long] {
            #expect(throws: IssuerPolicyError.malformedTrustDomain) { try policy(domain) }
        }
        for algorithm in [JWSAlgorithm.edDSA, .ed25519] {
            #expect(throws: IssuerPolicyError.algorithmOfNoSVID) { try policy("a", [.rs256, algorithm]) }
        }
        #expect(throws: IssuerPolicyError.repeatedIssuer("spiffe://a")) {
            try BearerTokenVerifier(issuers: [policy("a"), policy("a")])
        }
        #expect(throws: IssuerPolicyError.repeatedIssuer("spiffe://a")) {
            try BearerTokenVerifier(issuers: [policy("a"), TestIssuer.policy(issuer: "spiffe://a")])
        }
    }
}
