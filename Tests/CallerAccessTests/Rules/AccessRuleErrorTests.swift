import CallerAccess
import FleetEngineToken
import StrictJSON
import Testing

@Suite struct AccessRuleErrorTests {
    private func rule(
        name: String = "r", kinds: Set<TokenKind> = [.driver], callers: [Principal.Source] = [],
        ids: [IDName: AllowedIDs] = [.vehicleID: .any]
    ) throws -> AccessRule {
        try AccessRule(name: name, kinds: kinds, callers: callers, ids: ids)
    }

    @Test(arguments: ["", "a b", "a\n", "\u{E9}", String(repeating: "a", count: 65), "K\u{212A}"])
    func `a malformed name of a rule or caller is refused`(name: String) throws {
        #expect(throws: AccessRuleError.malformedName) { try rule(name: name) }
        #expect(throws: AccessRuleError.malformedCaller) { try rule(callers: [.apiKey(name: name)]) }
    }

    @Test func `a rule with missing or contradictory parts is refused`() throws {
        #expect(throws: AccessRuleError.noKind) { try rule(kinds: [], ids: [:]) }
        #expect(throws: AccessRuleError.malformedCaller) { try rule(callers: [.jwt(issuer: "")]) }
        #expect(throws: AccessRuleError.noLiteral(.vehicleID)) { try rule(ids: [.vehicleID: .literals([])]) }
        #expect(throws: AccessRuleError.idOfNoKind(.tripID)) { try rule(ids: [.vehicleID: .any, .tripID: .any]) }
        #expect(throws: AccessRuleError.idOfNoKind(.vehicleID)) { try rule(kinds: Set(TokenKind.wildcards)) }
    }

    @Test func `a kind needs the ids of its tokens, a wildcard needs none`() throws {
        for kind in TokenKind.ofSpecificIDs {
            #expect(throws: AccessRuleError.kindWithoutID(kind)) { try rule(kinds: [kind], ids: [:]) }
        }
        for kind in TokenKind.wildcards { _ = try rule(kinds: [kind], ids: [:]) }
        #expect(throws: AccessRuleError.kindWithoutID(.trustedDeliveryDriver)) {
            try rule(kinds: [.trustedDeliveryDriver], ids: [.taskID: .any])
        }
        #expect(throws: AccessRuleError.kindWithoutID(.consumer)) { try rule(kinds: [.consumer, .driver]) }
        _ = try rule(kinds: [.deliveryConsumer], ids: [.taskID: .any])
        _ = try rule(kinds: [.deliveryConsumer, .server], ids: [.trackingID: .any])
    }

    @Test func `claims are refused if no caller of the rule can have claims`() throws {
        let certificate = Principal.Source.certificate(try #require(CertificateName("dns:depot.example.com")))
        let keys: [Principal.Source] = [.apiKey(name: "a"), .apiKey(name: "b"), certificate]
        let issuer = Principal.Source.jwt(issuer: "i")
        let claim = try ClaimRequirement(ClaimPath("c"), equals: .bool(true))
        let ids: [IDName: AllowedIDs] = [.vehicleID: .claim(try ClaimPath("c"))]
        #expect(throws: AccessRuleError.claimsWithoutTokens(rule: "r")) { try rule(callers: keys, ids: ids) }
        #expect(throws: AccessRuleError.claimsWithoutTokens(rule: "r")) {
            try AccessRule(name: "r", kinds: [.server], callers: keys, claims: [claim])
        }
        _ = try rule(callers: keys)
        _ = try rule(ids: ids)
        _ = try rule(callers: keys + [issuer], ids: ids)
        _ = try AccessRule(name: "r", kinds: [.server], callers: keys + [issuer], claims: [claim])
    }

    @Test func `a rule without callers, claims or back end accepts all authenticated callers`() throws {
        let claim = try ClaimRequirement(ClaimPath("c"), equals: .bool(true))
        #expect(try AccessRule(name: "r", kinds: [.server]).isForEveryAuthenticatedCaller)
        let keys: [Principal.Source] = [.apiKey(name: "a")]
        #expect(try !AccessRule(name: "r", kinds: [.server], callers: keys).isForEveryAuthenticatedCaller)
        #expect(try !AccessRule(name: "r", kinds: [.server], claims: [claim]).isForEveryAuthenticatedCaller)
        #expect(try !AccessRule(name: "r", kinds: [.server], asksBackEnd: true).isForEveryAuthenticatedCaller)
    }

    @Test func `a claim path with no name or an empty name is refused`() {
        for text in ["", ".", "a.", ".a", "a..b"] {
            #expect(throws: AccessRuleError.emptyClaimName) { try ClaimPath(text) }
        }
        for names in [[], [""], ["a", ""]] {
            #expect(throws: AccessRuleError.emptyClaimName) { try ClaimPath(names: names) }
        }
    }

    @Test func `a literal of an unsupported type or an empty text is refused`() throws {
        let path = try ClaimPath("a")
        for literal in [.null, .number("1.5"), .array([]), .object([:]), .string("")] as [JSONValue] {
            #expect(throws: AccessRuleError.unfitLiteral) { try ClaimRequirement(path, equals: literal) }
        }
        #expect(throws: AccessRuleError.unfitLiteral) { try ClaimRequirement(path, contains: "") }
    }

    @Test(
        arguments: [
            (.malformedName, "the rule's name is malformed; expected 1 to 64 characters of A-Z a-z 0-9 . _ -"),
            (.repeatedName("r"), "the rule r is configured twice; expected each name once"),
            (.noKind, "the rule names no kind of token; expected at least one, such as consumer"),
            (
                .malformedCaller,
                "the rule has a caller with a malformed name; expected an issuer or an API key's name"
            ),
            (
                .emptyClaimName,
                "the path of a claim has no name or an empty one; expected names with dots between them"
            ),
            (
                .unfitLiteral,
                "the value for a claim is malformed; expected a text that is not empty, an integer, true or false"
            ),
            (.noLiteral(.tripID), "the rule lists no tripID; expected at least one"),
            (.idOfNoKind(.taskIDs), "the rule allows taskIDs, but none of its kinds has it; expected ids of its kinds"),
            (
                .kindWithoutID(.deliveryConsumer),
                "the rule names the kind delivery_consumer, but no trackingID or taskID; expected the allowed ids"
            ),
            (
                .claimsWithoutTokens(rule: "r"),
                "the rule r reads claims and is only for API keys or certificates, which have none; expected listed ids and "
                    + "no claims, or an issuer's callers"
            ),
        ] as [(AccessRuleError, String)])
    func `an error is one sentence`(error: AccessRuleError, sentence: String) {
        #expect(error.sentence == sentence)
    }
}
