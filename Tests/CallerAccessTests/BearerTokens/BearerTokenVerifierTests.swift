@testable import OpenSSLCrypto
@testable import CallerAccess
import TestSupport
import Testing

@Suite struct BearerTokenVerifierTests {
    private let now = TestIssuer.now

    @Test func `a valid token gives the principal's name, claims and expiry`() throws {
        let issuer = try TestIssuer()
        let token = try issuer.token(claims: ["vehicle_id": #""v-1""#])
        let principal = try issuer.verifier().principal(of: token, at: now)
        #expect(principal.name == "driver-7")
        #expect(principal.source == .jwt(issuer: TestIssuer.name))
        #expect(principal.expiresAt == now + 3600)
        #expect(principal.claims?["vehicle_id"] == .string("v-1"))
    }

    @Test func `a cached token gives the same caller as a verified one`() throws {
        let issuer = try TestIssuer()
        let verifier = try issuer.verifier()
        let token = try issuer.token(claims: ["vehicle_id": #""v-1""#])
        let first = try verifier.principal(of: token, at: now)
        #expect(verifier.cached.tokens == 1)
        let second = try verifier.principal(of: token, at: now + 1)
        #expect(verifier.cached.tokens == 1)
        #expect(first.name == second.name && first.source == second.source && first.expiresAt == second.expiresAt)
        #expect(first.claims == second.claims)
    }

    @Test func `a forgery with a cached token's ending neither matches nor replaces it`() throws {
        let issuer = try TestIssuer()
        let verifier = try issuer.verifier()
        let token = try issuer.token(claims: ["vehicle_id": #""v-1""#])
        let other = try issuer.token(claims: ["vehicle_id": #""v-2""#])
        _ = try verifier.principal(of: token, at: now)
        // The claims of another token with the signature of the cached one.
        let parts = (other.split(separator: UInt8(ascii: ".")), token.split(separator: UInt8(ascii: ".")))
        let forged = Array([parts.0[0], parts.0[1], parts.1[2]].joined(separator: [UInt8(ascii: ".")]))
        for bytes in [forged, Array(token.suffix(16)), Array(token.dropFirst()), [1] + token] {
            #expect(verifier.knownPrincipal(of: BearerToken(bytes), at: now) == nil)
            #expect(verifier.fault(bytes) != nil)
        }
        #expect(verifier.fault(forged) == .signatureWrong)
        #expect(verifier.cached.tokens == 1)
        #expect(verifier.knownPrincipal(of: BearerToken(token), at: now)?.claims?["vehicle_id"] == .string("v-1"))
        #expect(verifier.knownPrincipal(of: BearerToken([]), at: now) == nil)
    }

    @Test func `a caller keeps only the named claims, and all are checked`() throws {
        let issuer = try TestIssuer()
        let verifier = try BearerTokenVerifier(issuers: [TestIssuer.policy()], claims: ["vehicle_id", "fleet", "none"])
        verifier.replaceKeys(of: TestIssuer.name, with: try issuer.keys())
        let claims = ["vehicle_id": #""v-1""#, "fleet": #"{"id":"f-1"}"#, "email": #""a@example.com""#]
        let token = try issuer.token(claims: claims)
        for _ in 1...2 {
            let principal = try verifier.principal(of: token, at: now)
            #expect(principal.claims == ["vehicle_id": .string("v-1"), "fleet": .object(["id": .string("f-1")])])
            #expect(principal.name == "driver-7" && principal.expiresAt == now + 3600)
        }
        #expect(verifier.fault(try issuer.token(claims: ["aud": #""others""#])) == .audienceWrong)
        #expect(verifier.fault(try issuer.token(claims: ["nbf": "\(now + 600)"])) == .notYetValid)
        #expect(verifier.fault(token, at: now + 3600 + 60) == .expired)
    }

    @Test(arguments: [(nil, ""), ("7", ""), ("null", ""), (#""""#, ""), (#""K""#, "K")] as [(String?, String)])
    func `the caller's name is the sub claim if it is a text`(subject: String?, name: String) throws {
        let issuer = try TestIssuer()
        let principal = try issuer.verifier().principal(of: issuer.token(claims: ["sub": subject]), at: now)
        #expect(principal.name == name)
    }

    @Test(
        arguments: [
            (nil, ""), (#""x""#, ""), (#"{"fleet.id":"K"}"#, "K"), (#"{"fleet.id":7}"#, ""),
            (#"{"fleet":{"id":"K"}}"#, ""),
        ] as [(String?, String)])
    func `the caller's name comes only from the claim that the policy names`(
        claim: String?, name: String
    ) throws {
        let issuer = try TestIssuer()
        let policy = try IssuerPolicy(
            issuer: TestIssuer.name, audiences: [TestIssuer.audience], algorithms: [.rs256],
            principal: ClaimPath(names: ["app", "fleet.id"]))
        let token = try issuer.token(claims: ["app": claim])
        #expect(try issuer.verifier(policy).principal(of: token, at: now).name == name)
    }

    @Test(arguments: [(#""fleet""#, nil), (#""others""#, .audienceWrong), (nil, .audienceMissing)] as Audiences)
    func `the audience is in the claim that the policy names`(client: String?, fault: BearerTokenFault?) throws {
        let issuer = try TestIssuer()
        let policy = try IssuerPolicy(
            issuer: TestIssuer.name, audiences: [TestIssuer.audience], algorithms: [.rs256], audienceClaim: "client_id")
        for audience in [nil, #""fleet""#, "7"] {
            let token = try issuer.token(claims: ["client_id": client, "aud": audience])
            #expect(try issuer.verifier(policy).fault(token) == fault)
        }
    }

    @Test func `a token counts only where its issuer's tokens are, cached or not`() throws {
        let issuer = try TestIssuer()
        let token = try issuer.token()
        for (header, right, wrong) in [
            ("x-assertion", TokenPlace.header("x-assertion"), [TokenPlace.authorization, .header("x-other")]),
            (nil, .authorization, [.header("x-assertion")]),
        ] {
            let policy = try IssuerPolicy(
                issuer: TestIssuer.name, audiences: ["fleet"], algorithms: [.rs256], header: header)
            let verifier = try issuer.verifier(policy)
            for place in wrong + [right, .anywhere] + wrong {
                let token = BearerToken(token, in: place)
                let isRight = !wrong.contains(place)
                if !isRight {
                    let refusal = #expect(throws: BearerTokenRefusal.self) {
                        try verifier.verifiedPrincipal(of: token, at: TestIssuer.now)
                    }
                    #expect(refusal?.fault == .headerUnexpected && refusal?.isOfOthers == false)
                    let expected = "is in another header than its issuer's, \(header ?? "authorization")"
                    #expect(refusal?.explanation.hasSuffix(expected) == true)
                } else {
                    #expect(try verifier.verifiedPrincipal(of: token, at: TestIssuer.now).name == "driver-7")
                }
                #expect((verifier.knownPrincipal(of: token, at: TestIssuer.now) != nil) == isRight)
            }
        }
    }

    @Test func `of an issuer of several tenants, those that are named are accepted`() throws {
        let name = "https://login.example/{tenantid}/v2.0"
        let issuer = try TestIssuer()
        let policy = try IssuerPolicy(
            issuer: name, audiences: ["fleet"], algorithms: [.rs256], tenants: ["one", "two"])
        let verifier = try BearerTokenVerifier(issuers: [policy])
        verifier.replaceKeys(of: name, with: try issuer.keys())
        func fault(iss: String, tid: String?) throws -> BearerTokenFault? {
            let tenant = tid.map { "\"\($0)\"" }
            return verifier.refusal(try issuer.token(claims: ["iss": "\"\(iss)\"", "tid": tenant]))?.fault
        }
        for tenant in ["one", "two"] {
            #expect(try fault(iss: "https://login.example/\(tenant)/v2.0", tid: tenant) == nil)
        }
        for tid in ["two", "", "{tenantid}", nil] {
            #expect(try fault(iss: "https://login.example/one/v2.0", tid: tid) == .tenantWrong)
        }
        for tenant in ["three", "{tenantid}", "", "one/v2.0/x"] {
            #expect(try fault(iss: "https://login.example/\(tenant)/v2.0", tid: tenant) == .issuerUnknown)
        }
        let same = try IssuerPolicy(issuer: "https://login.example/two/v2.0", audiences: ["a"], algorithms: [.rs256])
        #expect(throws: IssuerPolicyError.repeatedIssuer(same.issuer)) {
            try BearerTokenVerifier(issuers: [policy, same])
        }
    }

    @Test func `a key of one tenant signs for no other`() throws {
        let issuer = try TestIssuer()
        let name = "https://login.example/{tenantid}/v2.0"
        let policy = try IssuerPolicy(
            issuer: name, audiences: ["fleet"], algorithms: [.rs256], tenants: ["one", "two"])
        let verifier = try BearerTokenVerifier(issuers: [policy])
        let set = String(decoding: try JWKSet.render([(issuer.keyID, try issuer.key.publicKey())]), as: UTF8.self)
        for (owner, tenants) in [
            (#""https://login.example/one/v2.0""#, ["one"]), ("\"\(name)\"", ["one", "two"]), ("7", []), ("[]", []),
            (#""""#, []),
            ("null", ["one", "two"]),
        ] {
            let keys = set.replacing(#""kty""#, with: #""issuer":\#(owner),"kty""#)
            verifier.replaceKeys(of: name, with: try JWKSet(parsing: Array(keys.utf8)))
            for tenant in ["one", "two"] {
                let iss = #""https://login.example/\#(tenant)/v2.0""#
                let fault = verifier.refusal(try issuer.token(claims: ["iss": iss, "tid": "\"\(tenant)\""]))?.fault
                let isSkipped = ["7", "[]"].contains(owner)
                #expect(
                    fault == (tenants.contains(tenant) ? nil : isSkipped ? .keyUnknown : .signatureWrong),
                    "\(owner) \(tenant)")
            }
        }
    }

    private typealias Audiences = [(String?, BearerTokenFault?)]

    @Test(arguments: JWSAlgorithm.allCases)
    func `a token that openssl signs is verified for every algorithm`(algorithm: JWSAlgorithm) throws {
        let key = try OpenSSLKey.shared(OpenSSLKey.Kind(for: algorithm.rawValue))
        let issuer = try TestIssuer()
        let verifier = try issuer.verifier(TestIssuer.policy(algorithms: JWSAlgorithm.allCases))
        verifier.replaceKeys(of: TestIssuer.name, with: try JWKSet(parsing: key.set(keyID: "k1")))
        let header = issuer.headerText(["alg": "\"\(algorithm.rawValue)\""])
        let token = try TestIssuer.token(headerText: header, claimsText: issuer.claimsText()) {
            try key.sign($0, by: algorithm.rawValue)
        }
        #expect(try verifier.principal(of: token, at: now).name == "driver-7")
        #expect(verifier.fault(try issuer.token(header: ["alg": "\"\(algorithm.rawValue)\""])) == .signatureWrong)
    }

    @Test func `an algorithm that fits the key but not the issuer is refused`() throws {
        let key = try OpenSSLKey.shared(.rsa)
        let issuer = try TestIssuer()
        let verifier = try issuer.verifier()
        verifier.replaceKeys(of: TestIssuer.name, with: try JWKSet(parsing: key.set(keyID: "k1")))
        let header = issuer.headerText(["alg": #""RS512""#])
        let token = try TestIssuer.token(headerText: header, claimsText: issuer.claimsText()) {
            try key.sign($0, by: "RS512")
        }
        #expect(verifier.fault(token) == .algorithmNotAllowed)
    }

    @Test(arguments: [#""fleet""#, #"["fleet"]"#, #"["x","other"]"#, #"["fleet","x"]"#, #"["","fleet"]"#])
    func `a token for any configured audience is accepted`(audience: String) throws {
        let issuer = try TestIssuer()
        #expect(try issuer.verifier().fault(issuer.token(claims: ["aud": audience])) == nil)
    }

    @Test(
        arguments: [
            ("at+jwt", #""at+jwt""#), ("at+jwt", #""AT+JWT""#), ("at+jwt", #""application/at+jwt""#),
            ("application/at+jwt", #""at+jwt""#), (nil, "7"), (nil, nil), (nil, #""anything""#),
        ] as [(String?, String?)])
    func `a configured typ is compared as a media type`(type: String?, header: String?) throws {
        let issuer = try TestIssuer()
        let verifier = try issuer.verifier(TestIssuer.policy(type: type))
        #expect(verifier.fault(try issuer.token(header: ["typ": header])) == nil)
    }

    @Test func `header members that name the token's own key are ignored`() throws {
        let (issuer, attacker) = (try TestIssuer(), try TestIssuer(key: 1))
        let jwk = String(
            decoding: try JWKSet.render([(keyID: "k1", publicKey: attacker.key.publicKey())]), as: UTF8.self)
        let own: [String: String?] = [
            "jku": #""https://evil.example/keys""#, "x5u": #""https://evil.example/x""#, "jwk": jwk, "x5c": #"["AA"]"#,
        ]
        let verifier = try issuer.verifier()
        #expect(verifier.fault(try attacker.token(header: own)) == .signatureWrong)
        #expect(verifier.fault(try issuer.token(header: own)) == nil)
    }

    @Test func `issuers are compared byte for byte, each with its own keys`() throws {
        let (one, other) = (try TestIssuer(), try TestIssuer(key: 1))
        let second = "https://other.example"
        let verifier = try BearerTokenVerifier(issuers: [TestIssuer.policy(), TestIssuer.policy(issuer: second)])
        verifier.replaceKeys(of: TestIssuer.name, with: try one.keys())
        verifier.replaceKeys(of: second, with: try other.keys())
        verifier.replaceKeys(of: "https://nobody.example", with: try other.keys())
        let ofSecond = try other.token(claims: ["iss": "\"\(second)\""])
        #expect(try verifier.principal(of: ofSecond, at: now).source == .jwt(issuer: second))
        #expect(verifier.fault(try one.token()) == nil)
        #expect(verifier.fault(try other.token()) == .signatureWrong)
        #expect(verifier.fault(try one.token(claims: ["iss": "\"\(second)\""])) == .signatureWrong)
        for name in ["https://id.example/", "https://ID.example", "https://nobody.example", "", "https://id.example "] {
            #expect(verifier.fault(try one.token(claims: ["iss": "\"\(name)\""])) == .issuerUnknown)
        }
    }
}
