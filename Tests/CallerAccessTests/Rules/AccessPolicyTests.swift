import CallerAccess
import FleetEngineToken
import Testing

@Suite struct AccessPolicyTests {
    private func policy(_ rules: AccessRule...) throws -> AccessPolicy { try AccessPolicy(rules: rules) }

    /// A rule for one kind with any ids.
    private func open(_ kind: TokenKind, _ callers: [Principal.Source] = []) throws -> AccessRule {
        let names: [IDName] =
            switch kind {
            case .consumer: [.tripID]
            case .driver: [.vehicleID]
            case .untrustedDeliveryDriver: [.deliveryVehicleID]
            case .trustedDeliveryDriver: [.deliveryVehicleID, .taskID]
            case .deliveryConsumer: [.trackingID, .taskID]
            case .taskBatch: [.taskIDs]
            default: []
            }
        let ids = Dictionary(uniqueKeysWithValues: names.map { ($0, AllowedIDs.any) })
        return try AccessRule(name: kind.rawValue, kinds: [kind], callers: callers, ids: ids)
    }

    @Test func `without rules every token is denied because no rule names its kind`() throws {
        let policy = try policy()
        for wanted in try AccessBench.everyToken() {
            for caller in [try AccessBench.driver(), AccessBench.server(), .anonymous] {
                #expect(policy.reasons(caller, wanted) == ["no rule names the kind \(wanted.kind.rawValue)"])
            }
        }
    }

    @Test func `a rule allows only tokens of the kinds that it names`() throws {
        for kind in TokenKind.allCases {
            let policy = try policy(open(kind))
            for wanted in try AccessBench.everyToken() {
                let isAllowed = wanted.kind == kind && wanted != .everyTask
                #expect(policy.rule(try AccessBench.driver(), wanted) == (isAllowed ? kind.rawValue : nil))
            }
        }
    }

    @Test func `a rule that allows any task does not allow every task`() throws {
        #expect(
            try policy(open(.taskBatch)).reasons(AccessBench.server(), .everyTask) == [
                "the rule task_batch does not apply: it allows tasks by their ids; no rule can allow every task"
            ])
    }

    @Test func `the first rule that allows the token is named`() throws {
        let id = try AccessBench.id("t")
        let rules = try ["first", "second", "third"].map { name in
            try AccessRule(
                name: name, kinds: [.consumer, .server],
                callers: name == "first" ? [.apiKey(name: "billing")] : [], ids: [.tripID: .any])
        }
        let policy = try AccessPolicy(rules: rules)
        #expect(policy.rule(AccessBench.server(), .trip(id)) == "first")
        #expect(policy.rule(try AccessBench.driver(), .trip(id)) == "second")
        #expect(policy.rule(AccessBench.server(), .server) == "first")
    }

    @Test func `a denial gives the reason of each rule for the kind`() throws {
        let policy = try policy(
            AccessRule(name: "a", kinds: [.driver], callers: [.apiKey(name: "x")], ids: [.vehicleID: .any]),
            AccessRule(name: "b", kinds: [.consumer], ids: [.tripID: .any]),
            AccessRule(name: "c", kinds: [.driver], ids: [.vehicleID: .claim(ClaimPath("vehicle"))]))
        #expect(
            try policy.reasons(AccessBench.driver(), .vehicle(AccessBench.id("v"))) == [
                "the rule a does not apply: it is for other callers",
                "the rule c does not apply: the claim vehicle is missing; expected the vehicleID as a string or in an "
                    + "array",
            ])
    }

    @Test func `a rule without callers applies to every authenticated caller`() throws {
        let (policy, wanted) = (try policy(open(.consumer)), PrivateClaims.trip(try AccessBench.id("t")))
        #expect(policy.rule(try AccessBench.driver(), wanted) == "consumer")
        #expect(policy.rule(AccessBench.server(), wanted) == "consumer")
        #expect(policy.reasons(.anonymous, wanted) == ["the rule consumer does not apply: it is for other callers"])
    }

    @Test func `a rule's callers match by source and name, byte for byte`() throws {
        let issuer = "https://caf\u{E9}.example"
        let policy = try policy(open(.consumer, [.jwt(issuer: issuer), .apiKey(name: "billing")]))
        let wanted = PrivateClaims.trip(try AccessBench.id("t"))
        #expect(policy.rule(try AccessBench.driver(issuer: issuer), wanted) == "consumer")
        #expect(policy.rule(AccessBench.server("billing"), wanted) == "consumer")
        for other in ["https://cafe\u{301}.example", "https://caf\u{E9}.example/", "billing", ""] {
            #expect(policy.rule(try AccessBench.driver(issuer: other), wanted) == nil)
        }
        for other in ["Billing", "billing2", issuer] { #expect(policy.rule(AccessBench.server(other), wanted) == nil) }
        #expect(policy.rule(.anonymous, wanted) == nil)
    }

    @Test func `unauthenticated callers are allowed only by a rule that names them`() throws {
        let policy = try policy(open(.consumer, [.anonymous]))
        let wanted = PrivateClaims.trip(try AccessBench.id("t"))
        #expect(policy.rule(.anonymous, wanted) == "consumer")
        #expect(policy.rule(try AccessBench.driver(), wanted) == nil)
        #expect(Principal.anonymous.name.isEmpty)
    }

    @Test func `two rules with the same name are refused`() throws {
        #expect(throws: AccessRuleError.repeatedName("consumer")) {
            try policy(open(.consumer), open(.driver), open(.consumer))
        }
    }
}
