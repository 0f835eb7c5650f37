import FleetEngineToken
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
        #expect(verifier.cached.tokens == 0)
    }

    @Test(arguments: HostileToken.all)
    func `only a well-formed or opaque token may be of others`(hostile: HostileToken) throws {
        let issuer = try TestIssuer()
        let verifier = try issuer.verifier(TestIssuer.policy(algorithms: [.rs256, .rs384]))
        let token = try hostile.token(issuer)
        let namesNone = !String(decoding: token, as: UTF8.self).contains(".") || hostile.fault == .issuerUnknown
        let hasNoIssuer = try? CompactJWS(parsing: token).claims["iss"] == nil
        #expect(verifier.refusal(token)?.isOfOthers == (namesNone || hasNoIssuer == true))
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
        #expect(verifier.cached.tokens == 1)
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
    func `a refusal is one sentence without content of the token`(fault: BearerTokenFault, predicate: String) throws {
        #expect(BearerTokenRefusal(fault).sentence == "the bearer token \(predicate)")
        let refusal = BearerTokenRefusal(fault, issuer: TrustedIssuer(try TestIssuer.policy()))
        #expect(refusal.sentence == "the bearer token of issuer https://id.example \(predicate)")
        #expect(refusal.explanation == refusal.sentence)
    }

    @Test func `every fault has a sentence, a unique code and a test token`() {
        #expect(Self.predicates.map(\.0) == BearerTokenFault.allCases)
        #expect(Set(BearerTokenFault.allCases.map(\.rawValue)).count == BearerTokenFault.allCases.count)
        let met = Set(HostileToken.all.map(\.fault)).union([
            .typeUnexpected, .tenantWrong, .subjectMalformed, .headerUnexpected, .keysMissing, .keyIDMissing,
            .signatureOfUnnamedKey,
        ])
        #expect(met == Set(BearerTokenFault.allCases))
    }

    @Test func `a refusal for an unknown kid names the issuer`() throws {
        let issuer = try TestIssuer()
        let refusal = try issuer.verifier().refusal(issuer.token(header: ["kid": #""k2""#]))
        #expect(refusal?.issuer == TestIssuer.name)
        #expect(refusal?.fault.rawValue == "kid_unknown")
    }

    private static let predicates: [(BearerTokenFault, String)] = [
        (.tooLong, "is longer than 16384 bytes"),
        (.notThreeParts, "is not made of three parts with dots between them; expected a signed JWT"),
        (
            .encrypted,
            "is encrypted; expected a signed JWT: Auth0 encrypts tokens unless the app asks for an audience"
        ),
        (.notBase64URL, "has a part that is not base64url without padding (RFC 7515 section 2)"),
        (.notJSON, "has a header or claims that are not JSON; expected a JSON object in UTF-8"),
        (.repeatedMember, "has a member twice in its header or claims; expected each name once"),
        (.nestedTooDeep, "has arrays and objects nested too deep in its header or claims; expected at most 16 levels"),
        (.notObject, "has a header or claims that are JSON but not an object; expected an object"),
        (.criticalExtension, "asks for extensions; expected no crit (RFC 7515 section 4.1.11)"),
        (.unencodedPayload, "says how its payload is encoded; expected no b64 (RFC 7797)"),
        (.algorithmMalformed, "has no alg that is a string; expected one of the issuer's algorithms"),
        (.algorithmNotAllowed, "has an alg that is not configured for its issuer"),
        (.algorithmNotOfKey, "has another alg than its key is for"),
        (.typeUnexpected, "has an unexpected typ"),
        (.keyIDMalformed, "has a kid that is not a string; expected the id of one of the issuer's keys"),
        (.keyIDMissing, "has no kid, and not exactly one key is for its alg; expected the id of one of its keys"),
        (.keyUnknown, "names an unknown key"),
        (.issuerMalformed, "has no iss that is a string; expected one of the configured issuers"),
        (.issuerUnknown, "has an unknown issuer"),
        (.tenantWrong, "has a tid that is not the tenant of its iss"),
        (.subjectMalformed, "has a sub that is not a SPIFFE id; expected spiffe://TRUST_DOMAIN/PATH"),
        (.headerUnexpected, "is in another header than its issuer's"),
        (.keysMissing, "cannot be verified: no keys of the issuer have been read"),
        (.signatureWrong, "has a signature that its issuer's key did not make"),
        (.signatureOfUnnamedKey, "has no kid, and a signature that its issuer's only key did not make"),
        (.audienceMissing, "has no aud; expected one of the issuer's configured audiences"),
        (.audienceMalformed, "has a malformed aud; expected a string or an array of strings"),
        (.audienceWrong, "is for another audience"),
        (.expiryMissing, "has no exp; expected when it expires"),
        (.expiryMalformed, "has a malformed exp; expected seconds from 1970 to 9999"),
        (.expired, "has expired"),
        (.notBeforeMalformed, "has a malformed nbf; expected seconds from 1970 to 9999"),
        (.notYetValid, "is not valid yet (nbf)"),
        (.issuedAtMalformed, "has a malformed iat; expected seconds from 1970 to 9999"),
        (.issuedInFuture, "was issued in the future (iat)"),
        (.principalTooLong, "has a principal that is longer than 256 bytes; expected another principal claim"),
    ]
}
