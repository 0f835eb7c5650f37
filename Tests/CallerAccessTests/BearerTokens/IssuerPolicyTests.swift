import CallerAccess
import Testing

@Suite struct IssuerPolicyTests {
    @Test(
        arguments: [
            (.emptyIssuer, "the issuer is empty; expected the text that iss holds"),
            (
                .noAudience,
                "the issuer has no audience or an empty one; expected what aud holds, at least one"
            ),
            (.noAlgorithm, "the issuer has no algorithm; expected at least one, such as RS256"),
            (.leewayOutOfRange(301), "the issuer's leeway is 301 s; expected 0 to 300"),
            (
                .emptyAudienceClaim,
                "the issuer's audience_claim is empty; expected the name of a claim, such as client_id"
            ),
            (.emptyType, "the issuer's type is empty; expected what typ holds, such as at+jwt"),
            (.repeatedIssuer("x"), "the issuer x is configured twice; expected each once"),
        ] as [(IssuerPolicyError, String)])
    func `an error says what was wrong and what was expected`(error: IssuerPolicyError, sentence: String) {
        #expect(error.sentence == sentence)
    }

    @Test func `an invalid setting is refused`() {
        #expect(throws: IssuerPolicyError.emptyIssuer) {
            try IssuerPolicy(issuer: "", audiences: ["a"], algorithms: [.rs256])
        }
        for audiences in [[], [""], ["a", ""]] {
            #expect(throws: IssuerPolicyError.noAudience) {
                try IssuerPolicy(issuer: "i", audiences: audiences, algorithms: [.rs256])
            }
        }
        #expect(throws: IssuerPolicyError.noAlgorithm) {
            try IssuerPolicy(issuer: "i", audiences: ["a"], algorithms: [])
        }
        for leeway in [-1, 301, Int64.min, Int64.max] {
            #expect(throws: IssuerPolicyError.leewayOutOfRange(leeway)) {
                try IssuerPolicy(issuer: "i", audiences: ["a"], algorithms: [.rs256], leeway: leeway)
            }
        }
        #expect(throws: IssuerPolicyError.emptyAudienceClaim) {
            try IssuerPolicy(issuer: "i", audiences: ["a"], algorithms: [.rs256], audienceClaim: "")
        }
        #expect(throws: IssuerPolicyError.emptyType) {
            try IssuerPolicy(issuer: "i", audiences: ["a"], algorithms: [.rs256], type: "")
        }
    }

    @Test func `omitted settings have their defaults`() throws {
        let policy = try IssuerPolicy(issuer: "i", audiences: ["a"], algorithms: [.rs256])
        #expect(policy.leeway == 60)
        #expect(policy.type == nil)
    }

    @Test func `two policies for one issuer, compared byte for byte, are refused`() throws {
        let policy = try TestIssuer.policy(issuer: "caf\u{E9}")
        #expect(throws: IssuerPolicyError.repeatedIssuer("caf\u{E9}")) {
            try BearerTokenVerifier(issuers: [policy, policy])
        }
        _ = try BearerTokenVerifier(issuers: [policy, TestIssuer.policy(issuer: "cafe\u{301}")])
    }
}
