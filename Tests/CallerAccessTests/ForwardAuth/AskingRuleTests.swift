import CallerAccess
import FleetEngineToken
import Testing

@Suite struct AskingRuleTests {
    private func rule(
        _ kinds: Set<TokenKind>, named name: String = "ask", callers: [Principal.Source] = [],
        claims: [ClaimRequirement] = [], ids: [IDName: AllowedIDs] = [:]
    ) throws -> AccessRule {
        try AccessRule(name: name, kinds: kinds, callers: callers, claims: claims, ids: ids, asksBackEnd: true)
    }

    private func asked(_ policy: AccessPolicy, _ principal: Principal, _ wanted: PrivateClaims) -> String? {
        guard case .ask(let rule) = policy.decide(principal, wanted) else { return nil }
        return rule
    }

    @Test func `a rule without callers and ids asks about every caller and id`() throws {
        for kind in TokenKind.allCases {
            let policy = try AccessPolicy(rules: [rule([kind])])
            for wanted in try AccessBench.everyToken() {
                for caller in [.anonymous, AccessBench.server(), try AccessBench.driver()] {
                    let isAsked = wanted.kind == kind && wanted != .everyTask
                    #expect(asked(policy, caller, wanted) == (isAsked ? "ask" : nil))
                    #expect(policy.rule(caller, wanted) == nil)
                }
            }
        }
    }

    @Test func `a rule with callers or claims asks only about matching callers`() throws {
        let wanted = PrivateClaims.trip(try AccessBench.id("t"))
        let callers = try AccessPolicy(rules: [rule([.consumer], callers: [.apiKey(name: "billing")])])
        #expect(asked(callers, AccessBench.server("billing"), wanted) == "ask")
        #expect(callers.reasons(.anonymous, wanted) == ["the rule ask does not apply: it is for other callers"])
        #expect(asked(callers, AccessBench.server("other"), wanted) == nil)
        let requirement = try ClaimRequirement(ClaimPath("role"), equals: .string("rider"))
        let claims = try AccessPolicy(rules: [rule([.consumer], claims: [requirement])])
        #expect(asked(claims, try AccessBench.driver(#"{"role":"rider"}"#), wanted) == "ask")
        #expect(asked(claims, try AccessBench.driver(#"{"role":"driver"}"#), wanted) == nil)
        #expect(asked(claims, .anonymous, wanted) == nil)
    }

    @Test func `ids in a rule limit what the back end is asked`() throws {
        let ids: [IDName: AllowedIDs] = [.tripID: .literals([try AccessBench.id("mine")])]
        let policy = try AccessPolicy(rules: [rule([.consumer, .driver], ids: ids)])
        #expect(asked(policy, .anonymous, .trip(try AccessBench.id("mine"))) == "ask")
        #expect(asked(policy, .anonymous, .trip(try AccessBench.id("yours"))) == nil)
        #expect(asked(policy, .anonymous, .vehicle(try AccessBench.id("v"))) == "ask")
        let own = try AccessPolicy(rules: [rule([.consumer], ids: [.tripID: .claim(ClaimPath("trip"))])])
        #expect(asked(own, .anonymous, .trip(try AccessBench.id("mine"))) == nil)
        #expect(asked(own, try AccessBench.driver(#"{"trip":"mine"}"#), .trip(try AccessBench.id("mine"))) == "ask")
    }

    @Test func `the back end is not asked if any rule allows by itself`() throws {
        let wanted = PrivateClaims.trip(try AccessBench.id("t"))
        let open = try AccessRule(
            name: "open", kinds: [.consumer], callers: [.apiKey(name: "billing")], ids: [.tripID: .any])
        let asking = try [rule([.consumer], named: "first"), rule([.consumer], named: "second")]
        for rules in [[open] + asking, asking + [open]] {
            let policy = try AccessPolicy(rules: rules)
            #expect(policy.rule(AccessBench.server("billing"), wanted) == "open")
            #expect(asked(policy, AccessBench.server("other"), wanted) == "first")
            #expect(asked(policy, .anonymous, wanted) == "first")
        }
    }

    @Test func `the back end is not asked about callers restricted to other rules`() throws {
        let policy = try AccessPolicy(rules: [rule([.server])])
        for (rules, name) in [(["ask"], "ask"), (["other"], nil)] as [(Set<String>, String?)] {
            let caller = Principal(
                name: "k", source: .apiKey(name: "k"), claims: nil, expiresAt: nil, rules: rules)
            #expect(asked(policy, caller, .server) == name)
        }
    }

    @Test func `an asking rule still needs a kind, and ids of that kind`() throws {
        #expect(throws: AccessRuleError.noKind(rule: "ask")) { try rule([]) }
        #expect(throws: AccessRuleError.idOfNoKind(rule: "ask", .tripID, [.server])) {
            try rule([.server], ids: [.tripID: .any])
        }
    }

    @Test func `a back end's principal is limited by name, if it has one`() {
        func key(_ name: String, _ source: Principal.Source = .forwardAuth) -> RateLimitKey? {
            Principal(name: name, source: source, claims: nil, expiresAt: nil).limitKey
        }
        #expect(key("") == nil)
        #expect(key("a") != nil)
        #expect(key("a") == key("a"))
        #expect(Set([key("a"), key("b"), key("a", .jwt(issuer: "")), key("a", .apiKey(name: ""))]).count == 4)
    }
}
