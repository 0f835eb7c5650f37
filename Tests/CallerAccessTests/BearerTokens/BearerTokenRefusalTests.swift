import Testing

@testable import CallerAccess

@Suite struct BearerTokenRefusalTests {
    @Test(arguments: HostileToken.all)
    func `a hostile token is refused twice with its fault and never cached`(
        hostile: HostileToken
    ) throws {
        let issuer = try TestIssuer()
        // RS384 passes the issuer's list, so that the key's own alg has something to refuse.
        let verifier = try issuer.verifier(TestIssuer.policy(algorithms: [.rs256, .rs384]))
        let token = try hostile.token(issuer)
        #expect(verifier.fault(token) == hostile.fault)
        #expect(verifier.fault(token) == hostile.fault)
        #expect(verifier.remembered.tokens == 0)
    }

    @Test func `a token with any one character changed is refused`() throws {
        let issuer = try TestIssuer()
        let verifier = try issuer.verifier()
        let token = try issuer.token()
        #expect(verifier.fault(token) == nil)
        for index in token.indices {
            var changed = token
            changed[index] ^= 1
            #expect(verifier.fault(changed) != nil)
        }
        #expect(verifier.remembered.tokens == 1)
    }

    @Test func `a token with another typ than the configured one is refused`() throws {
        let issuer = try TestIssuer()
        let verifier = try issuer.verifier(TestIssuer.policy(type: "at+jwt"))
        for type in [nil, "null", "7", #""JWT""#, #""at+jwt ""#, #""text/at+jwt""#] {
            #expect(verifier.fault(try issuer.token(header: ["typ": type])) == .typeUnexpected)
        }
    }

    @Test func `a token is refused while its issuer's keys are not loaded`() throws {
        let verifier = try BearerTokenVerifier(issuers: [TestIssuer.policy()])
        #expect(verifier.fault(try TestIssuer().token()) == .keysMissing)
    }

    @Test(arguments: Self.predicates)
    func `a refusal is one sentence without content of the token`(fault: BearerTokenFault, predicate: String) {
        let refusal = BearerTokenRefusal(fault: fault, issuer: nil)
        #expect(refusal.sentence == "the bearer token \(predicate)")
        let ofIssuer = BearerTokenRefusal(fault: fault, issuer: TestIssuer.name)
        #expect(ofIssuer.sentence == "the bearer token of issuer https://id.example \(predicate)")
    }

    @Test func `every fault has a sentence, a unique code and a test token`() {
        #expect(Self.predicates.map(\.0) == BearerTokenFault.allCases)
        #expect(Set(BearerTokenFault.allCases.map(\.rawValue)).count == BearerTokenFault.allCases.count)
        let met = Set(HostileToken.all.map(\.fault)).union([
            .typeUnexpected, .keysMissing, .keyIDMissing, .signatureOfUnnamedKey,
        ])
        #expect(met == Set(BearerTokenFault.allCases))
    }

    @Test func `a refusal for an unknown kid names the issuer`() throws {
        let issuer = try TestIssuer()
        let refusal = #expect(throws: BearerTokenRefusal.self) {
            try issuer.verifier().principal(of: issuer.token(header: ["kid": #""k2""#]), at: TestIssuer.now)
        }
        #expect(refusal == BearerTokenRefusal(fault: .keyUnknown, issuer: TestIssuer.name))
        #expect(refusal?.fault.rawValue == "kid_unknown")
    }

    private static let predicates: [(BearerTokenFault, String)] = [
        (.tooLong, "is longer than 16384 bytes"),
        (.notThreeParts, "is not made of three parts with dots between them; expected a signed JWT"),
        (
            .notBase64URL,
            "has a part that is not base64url without padding, in its one spelling (RFC 7515 section 2)"
        ),
        (.notJSON, "has a header or claims that are not JSON; expected a JSON object in UTF-8"),
        (.repeatedMember, "has a member twice in its header or claims; expected each name once"),
        (.nestedTooDeep, "has arrays and objects nested too deep in its header or claims; expected at most 16"),
        (.notObject, "has a header or claims that are JSON but no object; expected an object"),
        (.criticalExtension, "asks for extensions (crit); expected none (RFC 7515 section 4.1.11)"),
        (.unencodedPayload, "says how its payload is encoded (b64); expected no such member (RFC 7797)"),
        (.algorithmMalformed, "has no alg that is a string; expected one of the issuer's algorithms"),
        (.algorithmNotAllowed, "has an alg that is not configured for its issuer"),
        (.algorithmNotOfKey, "has another alg than its key is for"),
        (.typeUnexpected, "has another typ than is configured for its issuer, or none"),
        (.keyIDMalformed, "has a kid that is no string; expected the id of one of the issuer's keys"),
        (.keyIDMissing, "has no kid, and the issuer has not exactly one key; expected the id of one of them"),
        (.keyUnknown, "has a kid that no key of the issuer has; expected the id of one of them"),
        (.issuerMalformed, "has no iss that is a string; expected one of the configured issuers"),
        (.issuerUnknown, "has an iss that is not configured, compared byte for byte"),
        (.keysMissing, "cannot be verified, since no keys of the issuer have been read"),
        (.signatureWrong, "has a signature that its issuer's key did not make"),
        (.signatureOfUnnamedKey, "has no kid, and a signature that its issuer's only key did not make"),
        (.audienceMissing, "has no aud; expected one of the issuer's configured audiences"),
        (.audienceMalformed, "has an aud that is neither a string nor an array of strings"),
        (.audienceWrong, "has an aud without any of the issuer's configured audiences, compared byte for byte"),
        (.expiryMissing, "has no exp; expected an end"),
        (.expiryMalformed, "has an exp that is no integer of seconds from 1970 to 9999"),
        (.expired, "has expired"),
        (.notBeforeMalformed, "has an nbf that is no integer of seconds from 1970 to 9999"),
        (.notYetValid, "is not valid yet (nbf)"),
        (.issuedAtMalformed, "has an iat that is no integer of seconds from 1970 to 9999"),
        (.issuedInFuture, "was issued in the future (iat)"),
    ]
}
