import OpenSSLCrypto
import StrictJSON
import Testing

@testable import CallerAccess

/// What the operator reads of a refused token: what it says, and what was expected.
@Suite struct RefusalExplanationTests {
    private static let now = TestIssuer.now

    private func explanation(
        header: [String: String?] = [:], claims: [String: String?] = [:], at now: Int64 = now, type: String? = nil
    ) throws -> String? {
        let issuer = try TestIssuer()
        // RS384 passes the issuer's list, so that the key's own alg has something to refuse.
        let verifier = try issuer.verifier(TestIssuer.policy(algorithms: [.rs256, .rs384], type: type))
        return verifier.refusal(try issuer.token(header: header, claims: claims), at: now)?.explanation
    }

    @Test(
        arguments: [
            (
                #""https://id.example/""#,
                #"iss is "https://id.example/", expected "https://id.example" (remove the last slash)"#
            ),
            (
                #""https://ID.example""#,
                #"iss is "https://ID.example", expected "https://id.example" (case differs)"#
            ),
            (#""x""#, #"iss is "x", expected "https://id.example""#),
        ])
    func `an unknown iss is shown with the configured issuer`(value: String, comparison: String) throws {
        #expect(
            try explanation(claims: ["iss": value])
                == "the bearer token has an unknown issuer: \(comparison)")
    }

    @Test(
        arguments: [
            (
                "alg", #""none""#,
                #"has an alg that is not configured for its issuer: alg is "none", expected "RS256" or "RS384""#
            ),
            ("alg", nil, #"has no alg; expected "RS256" or "RS384""#),
            ("alg", "7", #"has no alg that is a string: alg is 7, expected "RS256" or "RS384""#),
            ("alg", #""RS384""#, #"has another alg than its key is for: alg is "RS384", expected "RS256""#),
            ("typ", #""JWT""#, #"has an unexpected typ: typ is "JWT", expected "at+jwt""#),
            ("typ", nil, #"has no typ; expected "at+jwt""#),
            ("kid", #""k2""#, #"names an unknown key: kid is "k2", expected "k1""#),
            ("kid", "7", #"has a kid that is not a string: kid is 7, expected "k1""#),
            ("crit", #"["exp"]"#, #"asks for extensions: crit is ["exp"], expected none"#),
            ("b64", "false", "says how its payload is encoded: b64 is false, expected none"),
        ] as [(String, String?, String)])
    func `a refused header is shown with what is configured`(name: String, value: String?, predicate: String) throws {
        let header: [String: String?] = name == "typ" ? [name: value] : ["typ": #""at+jwt""#, name: value]
        #expect(
            try explanation(header: header, type: "at+jwt")
                == "the bearer token of issuer https://id.example \(predicate)")
    }

    @Test func `a missing kid is shown with the ids of the keys`() throws {
        let (one, other) = (try TestIssuer(), try TestIssuer(key: 1, keyID: "k2"))
        let verifier = try one.verifier()
        let keys = try [one, other].map { (keyID: $0.keyID, publicKey: try $0.key.publicKey()) }
        verifier.replaceKeys(of: TestIssuer.name, with: try JWKSet(parsing: JWKSet.render(keys)))
        let refusal = verifier.refusal(try one.token(header: ["kid": nil]))
        #expect(refusal?.explanation.hasSuffix(#" has no kid; expected "k1" or "k2""#) == true)
        verifier.replaceKeys(of: TestIssuer.name, with: try JWKSet(parsing: Array(#"{"keys":[]}"#.utf8)))
        let without = try #require(verifier.refusal(try one.token(header: ["kid": nil])))
        #expect(without.explanation == without.sentence)
    }

    @Test(
        arguments: [
            (nil, #"has no aud; expected "fleet" or "other""#),
            ("7", #"has a malformed aud: aud is 7, expected "fleet" or "other""#),
            (
                #"["x","fleet/"]"#,
                #"is for another audience: aud is ["x","fleet/"], expected "fleet" (remove the last slash)"#
            ),
            (#""othe""#, #"is for another audience: aud is "othe", expected "fleet" or "other""#),
        ] as [(String?, String)])
    func `a refused aud is shown with the configured audiences`(value: String?, predicate: String) throws {
        #expect(try explanation(claims: ["aud": value]) == "the bearer token of issuer https://id.example \(predicate)")
    }

    @Test(
        arguments: [
            ("client_id", "\"fleet\"", " (client_id is it: set audience_claim: client_id)"),
            ("client_id", "\"other app\"", ""),
            ("azp", "\"app\"", " (azp names the client, which never counts: let the provider add this audience)"),
        ])
    func `a missing aud is explained by the claim that names the client`(name: String, value: String, hint: String)
        throws
    {
        let explanation = try explanation(claims: ["aud": nil, name: value])
        #expect(explanation?.hasSuffix(" has no aud; expected \"fleet\" or \"other\"\(hint)") == true)
    }

    @Test(
        arguments: [
            ("https://sts.windows.net/T/", "https://login.microsoftonline.com/T/v2.0", 1),
            ("https://login.microsoftonline.com/T/v2.0", "https://sts.windows.net/T/", 2),
        ])
    func `an issuer of the other version of Entra ID is explained`(shown: String, configured: String, version: Int)
        throws
    {
        let policy = try IssuerPolicy(issuer: configured, audiences: ["fleet"], algorithms: [.rs256])
        let issuer = try TestIssuer()
        let refusal = try issuer.verifier(policy).refusal(issuer.token(claims: ["iss": "\"\(shown)\""]))
        #expect(
            refusal?.explanation.hasSuffix(
                " iss is \"\(shown)\", expected \"\(configured)\" (Entra ID signs tokens of version \(version) by this "
                    + "issuer: add it, or change the version)") == true)
        #expect(try explanation(claims: ["iss": "\"\(shown)\""])?.contains("Entra") == false)
    }

    @Test func `a refused audience is shown by the name of its claim`() throws {
        let issuer = try TestIssuer()
        let policy = try IssuerPolicy(
            issuer: TestIssuer.name, audiences: ["app"], algorithms: [.rs256], audienceClaim: "client_id")
        let refusal = try issuer.verifier(policy).refusal(issuer.token())
        #expect(refusal?.explanation.hasSuffix(#" has no client_id; expected "app""#) == true)
    }

    @Test(
        arguments: [
            ("exp", "\(now - 60)", "expired 1 minute ago (2023-11-14T22:12:20Z)"),
            ("exp", "\(now - 3 * 86_400 - 5)", "expired 3 days ago (2023-11-11T22:13:15Z)"),
            ("exp", "\(now - 60).0", "expired 1 minute ago (2023-11-14T22:12:20Z)"),
            ("nbf", "\(now + 7199).5", "is not valid yet: nbf is 2023-11-15T00:13:20Z, in 2 hours"),
            ("nbf", "\(now + 7200)", "is not valid yet: nbf is 2023-11-15T00:13:20Z, in 2 hours"),
            (
                "iat", "\(now + 61)",
                "was issued in the future: iat is 2023-11-14T22:14:21Z, in 1 minute; compare the clocks"
            ),
            (
                "exp", #""1800000000""#,
                #"has a malformed exp: exp is "1800000000", expected seconds from 1970 to 9999"#
            ),
            ("iat", "-1.5", "has a malformed iat: iat is -1.5, expected seconds from 1970 to 9999"),
        ])
    func `a refused time is shown as a date with its distance`(name: String, value: String, predicate: String) throws {
        #expect(try explanation(claims: [name: value]) == "the bearer token of issuer https://id.example \(predicate)")
    }

    @Test func `clocks at the ends of the range do not trap`() throws {
        for now in [Int64.min, -1, 0, .max] {
            let claims = ["exp": "253402300799", "nbf": now > 0 ? "0" : "253402300799"]
            #expect(try explanation(claims: claims, at: now) != nil)
        }
    }

    @Test func `a value is escaped and cut at 128 characters`() throws {
        let long = String(repeating: "x", count: 10_000)
        let shown = "\"\(String(repeating: "x", count: 128))…\""
        #expect(try explanation(claims: ["iss": "\"\(long)\""])?.contains("iss is \(shown), ") == true)
        #expect(
            try explanation(claims: ["iss": #""a\n\u001b[2J\u202e""#])?.contains(#"iss is "a\n\u001b[2J\u202e", "#)
                == true)
        let array = try #require(try explanation(claims: ["aud": "[\"\(long)\"]"]))
        #expect(array.contains("aud is [\"\(String(repeating: "x", count: 126))…, "))
        let combining = "\"a\(String(repeating: "\u{301}", count: 5000))\""
        #expect(try #require(try explanation(claims: ["iss": combining])).utf8.count < 500)
    }

    @Test func `an API key or a token in a value is cut`() throws {
        for (value, shown) in [("x tpk_canary", "x tpk…"), ("x eyJcanary", "x eyJ…")] {
            let text = try #require(try explanation(claims: ["iss": "\"\(value)\""]))
            #expect(text.contains("iss is \"\(shown)\", ") && !text.contains("canary"))
        }
    }

    @Test func `more than three configured issuers are counted`() throws {
        let verifier = try BearerTokenVerifier(
            issuers: ["a", "b", "c", "d", "e"].map { try TestIssuer.policy(issuer: $0) })
        let token = try TestIssuer().token()
        #expect(
            verifier.refusal(token)?.explanation.hasSuffix(
                #": iss is "https://id.example", expected "a", "b", "c" or 2 more"#)
                == true)
        #expect(
            verifier.refusal(try TestIssuer().token(claims: ["iss": #""e/""#]))?.explanation.hasSuffix(
                #": iss is "e/", expected "e" (remove the last slash)"#) == true)
    }

    @Test(arguments: HostileToken.all)
    func `every explanation is short, on one line and looks like no key`(hostile: HostileToken) throws {
        let issuer = try TestIssuer()
        let verifier = try issuer.verifier(TestIssuer.policy(algorithms: [.rs256, .rs384]))
        let text = try #require(verifier.refusal(try hostile.token(issuer))).explanation
        #expect(text.utf8.count <= 1024 && text.utf8.allSatisfy { $0 >= 0x20 })
        #expect(APIKey.beginning(in: text.utf8) == nil)
    }
}
