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
        #expect(throws: AccessRuleError.malformedCaller(rule: "r")) { try rule(callers: [.apiKey(name: name)]) }
    }

    @Test func `a rule with missing or contradictory parts is refused`() throws {
        #expect(throws: AccessRuleError.noKind(rule: "r")) { try rule(kinds: [], ids: [:]) }
        #expect(throws: AccessRuleError.malformedCaller(rule: "r")) { try rule(callers: [.jwt(issuer: "")]) }
        #expect(throws: AccessRuleError.noLiteral(rule: "r", .vehicleID)) { try rule(ids: [.vehicleID: .literals([])]) }
        #expect(throws: AccessRuleError.idOfNoKind(rule: "r", .tripID, [.driver])) {
            try rule(ids: [.vehicleID: .any, .tripID: .any])
        }
        let wildcards = Set(TokenKind.wildcards)
        #expect(throws: AccessRuleError.idOfNoKind(rule: "r", .vehicleID, wildcards)) { try rule(kinds: wildcards) }
    }

    @Test func `a kind needs the ids of its tokens, a wildcard needs none`() throws {
        for kind in TokenKind.ofSpecificIDs {
            #expect(throws: AccessRuleError.kindWithoutID(rule: "r", kind)) { try rule(kinds: [kind], ids: [:]) }
        }
        for kind in TokenKind.wildcards { _ = try rule(kinds: [kind], ids: [:]) }
        #expect(throws: AccessRuleError.kindWithoutID(rule: "r", .trustedDeliveryDriver)) {
            try rule(kinds: [.trustedDeliveryDriver], ids: [.taskID: .any])
        }
        #expect(throws: AccessRuleError.kindWithoutID(rule: "r", .consumer)) { try rule(kinds: [.consumer, .driver]) }
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

    @Test func `a claim's path that is a URL must be a list`() throws {
        for text in ["https://example.com/vehicle", "http://example.com"] {
            #expect(throws: AccessRuleError.urlAsPath) { try ClaimPath(text) }
            #expect(try ClaimPath(names: [text]).text == "\"\(text)\"")
        }
        #expect(try ClaimPath("https://example/vehicle") == ClaimPath(names: ["https://example/vehicle"]))
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
            (.noKind(rule: "r"), "the rule r names no kind of token; expected at least one, such as consumer"),
            (
                .malformedCaller(rule: "r"),
                "the rule r has a caller with a malformed name; expected an issuer or an API key's name"
            ),
            (
                .emptyClaimName,
                "the path of a claim has no name or an empty one; expected names with dots between them"
            ),
            (
                .urlAsPath,
                "the path of a claim is a URL, which would be split at its dots; expected a list with the name, such as "
                    + "[\"https://example.com/vehicle\"]"
            ),
            (
                .unfitLiteral,
                "the value for a claim is malformed; expected a text that is not empty, an integer, true or false"
            ),
            (.noLiteral(rule: "r", .tripID), "the rule r lists no tripID; expected at least one"),
            (
                .idOfNoKind(rule: "r", .vehicleID, [.consumer]),
                "the rule r lists vehicleID, but consumer tokens have no vehicleID; expected tripID"
            ),
            (
                .idOfNoKind(rule: "r", .taskIDs, [.driver, .consumer]),
                "the rule r lists taskIDs, but consumer and driver tokens have no taskIDs; expected tripID or vehicleID"
            ),
            (
                .idOfNoKind(rule: "r", .tripID, [.server]),
                "the rule r lists tripID, but server tokens have no tripID; expected no ids"
            ),
            (
                .kindWithoutID(rule: "r", .deliveryConsumer),
                "the rule r lists no ids for delivery_consumer tokens; expected trackingID or taskID in ids"
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
