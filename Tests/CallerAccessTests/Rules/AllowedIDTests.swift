import CallerAccess
import FleetEngineToken
import Testing

@Suite struct AllowedIDTests {
    private func policy(_ kind: TokenKind, _ ids: [IDName: AllowedIDs]) throws -> AccessPolicy {
        try AccessPolicy(rules: [AccessRule(name: "r", kinds: [kind], ids: ids)])
    }

    /// What a caller with these claims misses for the vehicle, after the rule's name.
    private func missing(
        _ claims: String, vehicle: String, path: ClaimPath, isExplained: Bool = false
    ) throws -> String? {
        let policy = try policy(.driver, [.vehicleID: .claim(path)])
        let (caller, wanted) = (try AccessBench.driver(claims), PrivateClaims.vehicle(try AccessBench.id(vehicle)))
        let reasons = isExplained ? policy.explanations(caller, wanted) : policy.reasons(caller, wanted)
        return reasons.first.map { String($0.dropFirst("the rule r does not apply: ".count)) }
    }

    @Test func `listed ids are allowed and no others`() throws {
        let listed = Set(try ["t-1", "caf\u{E9}"].map { try AccessBench.id($0) })
        let policy = try policy(.consumer, [.tripID: .literals(listed)])
        for text in ["t-1", "caf\u{E9}"] {
            #expect(policy.rule(AccessBench.server(), .trip(try AccessBench.id(text))) == "r")
        }
        for text in ["T-1", "t-", "t-11", "cafe"] {
            #expect(
                policy.reasons(AccessBench.server(), .trip(try AccessBench.id(text)))
                    == ["the rule r does not apply: it does not list the tripID"])
        }
    }

    @Test func `an id matches an equal text claim, alone or in an array`() throws {
        for claims in [#"{"v":"v-1"}"#, #"{"v":["v-1"]}"#, #"{"v":["x",7,null,"v-1"]}"#] {
            #expect(try missing(claims, vehicle: "v-1", path: ClaimPath("v")) == nil)
        }
    }

    @Test(
        arguments: [
            ("{}", "is missing; expected ID as a string or in an array"), (#"{"v":"v-2"}"#, "is not ID"),
            (#"{"v":"v-1 "}"#, "is not ID"), (#"{"v":"V-1"}"#, "is not ID"), (#"{"v":"v-1 v-2"}"#, "is not ID"),
            (#"{"v":""}"#, "is not ID"), (#"{"v":[]}"#, "does not contain ID"),
            (#"{"v":["v-11","v-"]}"#, "does not contain ID"), (#"{"v":[["v-1"]]}"#, "does not contain ID"),
            (#"{"v":[{"v":"v-1"}]}"#, "does not contain ID"),
            (#"{"v":{"v-1":true}}"#, "is an object; expected ID as a string or in an array"),
            (#"{"v":true}"#, "is a boolean; expected ID as a string or in an array"),
            (#"{"v":null}"#, "is null; expected ID as a string or in an array"),
            (#"{"v":1.5}"#, "is a number that is not an integer; expected ID as a string or in an array"),
        ])
    func `the reason names the missing id, and without ids its kind`(claims: String, predicate: String) throws {
        let path = try ClaimPath("v")
        #expect(
            try missing(claims, vehicle: "v-1", path: path, isExplained: true)
                == "the claim v \(predicate.replacing("ID", with: "v-1"))")
        #expect(
            try missing(claims, vehicle: "v-1", path: path)
                == "the claim v \(predicate.replacing("ID", with: "the vehicleID"))")
    }

    @Test func `an integer never equals an id, and the reason says so`() throws {
        let path = try ClaimPath("v")
        #expect(
            try missing(#"{"v":17}"#, vehicle: "17", path: path, isExplained: true)
                == "the claim v is an integer; expected 17 as a string or in an array; an integer never equals an id")
        #expect(
            try missing(#"{"v":[17]}"#, vehicle: "17", path: path, isExplained: true)
                == "the claim v does not contain 17 as a string; an integer never equals an id")
    }

    @Test func `missing ids of a batch are named or counted`() throws {
        let claim = try policy(.taskBatch, [.taskIDs: .claim(ClaimPath("tasks"))])
        let listed = try policy(.taskBatch, [.taskIDs: .literals([AccessBench.id("a")])])
        let array = try AccessBench.driver(#"{"tasks":["a","b"]}"#)
        for (ids, text) in [
            (["a", "c"], "c"), (["c", "d"], "c and 1 other"), (["d", "b", "c", "e"], "d and 2 others"),
        ] {
            let wanted = try AccessBench.batch(ids)
            #expect(
                claim.explanations(array, wanted)
                    == ["the rule r does not apply: the claim tasks does not contain \(text)"])
        }
        #expect(
            listed.explanations(array, try AccessBench.batch(["a", "c", "d"]))
                == ["the rule r does not apply: it does not list the taskIDs c and 1 other"])
        #expect(
            claim.explanations(try AccessBench.driver(#"{"tasks":"a"}"#), try AccessBench.batch(["a", "b"])) == [
                "the rule r does not apply: the claim tasks is a string; expected an array that contains a and 1 other"
            ])
    }

    @Test func `an unusual id is quoted, and an API key in it cut`() throws {
        let path = try ClaimPath("v")
        for (id, shown) in [("van 7", #""van 7""#), ("tpk_canary", "tpk…"), ("caf\u{E9}", "\"caf\u{E9}\"")] {
            #expect(
                try missing(#"{"v":[]}"#, vehicle: id, path: path, isExplained: true)
                    == "the claim v does not contain \(shown)")
        }
    }

    @Test func `many denials are cut to a length and counted`() throws {
        let rules = try (1...50).map { try AccessRule(name: "rule-\($0)", kinds: [.server], callers: [.anonymous]) }
        guard case .denied(let denials) = try AccessPolicy(rules: rules).decide(AccessBench.server(), .server) else {
            return #expect(Bool(false))
        }
        let sentences = denials.sentences(maxBytes: 256)
        #expect(sentences.utf8.count <= 256)
        #expect(
            sentences == (1...3).map { "the rule rule-\($0) does not apply: it is for other callers; " }.joined()
                + "47 more rules do not apply")
        #expect(denials.sentences().split(separator: ";").count == 50)
    }

    @Test func `claims and ids are compared byte for byte, without Unicode normalization`() throws {
        let path = try ClaimPath("v")
        #expect(try missing(#"{"v":"caf\u00e9"}"#, vehicle: "caf\u{E9}", path: path) == nil)
        #expect(try missing(#"{"v":"cafe\u0301"}"#, vehicle: "caf\u{E9}", path: path) != nil)
        #expect(try missing(#"{"v":["cafe\u0301"]}"#, vehicle: "caf\u{E9}", path: path) != nil)
        let policy = try policy(.taskBatch, [.taskIDs: .claim(path)])
        let caller = try AccessBench.driver(#"{"v":["cafe\u0301","x"]}"#)
        #expect(policy.rule(caller, try AccessBench.batch(["caf\u{E9}", "x"])) == nil)
    }

    @Test func `an id that the rule does not mention is not allowed`() throws {
        let vehicle = try AccessBench.id("v")
        let policy = try policy(.trustedDeliveryDriver, [.deliveryVehicleID: .any])
        #expect(policy.rule(AccessBench.server(), .trustedDeliveryVehicle(vehicle, task: nil)) == "r")
        #expect(
            policy.reasons(AccessBench.server(), .trustedDeliveryVehicle(vehicle, task: vehicle))
                == ["the rule r does not apply: it allows no taskID"])
        let consumer = try self.policy(.deliveryConsumer, [.trackingID: .any])
        #expect(consumer.rule(AccessBench.server(), .trackingID(vehicle)) == "r")
        #expect(
            consumer.reasons(AccessBench.server(), .task(vehicle)) == ["the rule r does not apply: it allows no taskID"]
        )
    }

    @Test func `a token with two ids needs both ids allowed`() throws {
        let ids: [IDName: AllowedIDs] = [
            .deliveryVehicleID: .claim(try ClaimPath("van")), .taskID: .claim(try ClaimPath("tasks")),
        ]
        let policy = try policy(.trustedDeliveryDriver, ids)
        let caller = try AccessBench.driver(#"{"van":"v","tasks":["t"]}"#)
        let (van, task) = (try AccessBench.id("v"), try AccessBench.id("t"))
        #expect(policy.rule(caller, .trustedDeliveryVehicle(van, task: nil)) == "r")
        #expect(policy.rule(caller, .trustedDeliveryVehicle(van, task: task)) == "r")
        #expect(policy.rule(caller, .trustedDeliveryVehicle(task, task: task)) == nil)
        #expect(policy.rule(caller, .trustedDeliveryVehicle(van, task: van)) == nil)
    }

    @Test func `every id of a batch must be allowed`() throws {
        let tasks = try policy(.taskBatch, [.taskIDs: .claim(ClaimPath("tasks"))])
        let caller = try AccessBench.driver(#"{"tasks":["a","b","c",4]}"#)
        for batch in [["a"], ["c", "a"], ["a", "b", "c"]] {
            #expect(tasks.rule(caller, try AccessBench.batch(batch)) == "r")
        }
        for batch in [["d"], ["a", "d"], ["a", "4"], ["a", "b", "c", "d"]] {
            let reason = try #require(tasks.reasons(caller, try AccessBench.batch(batch)).first)
            #expect(
                reason.hasPrefix("the rule r does not apply: the claim tasks does not contain every one of the taskIDs")
            )
        }
        let single = try AccessBench.driver(#"{"tasks":"a"}"#)
        #expect(tasks.rule(single, try AccessBench.batch(["a"])) == "r")
        #expect(tasks.rule(single, try AccessBench.batch(["a", "b"])) == nil)
        let listed = try policy(.taskBatch, [.taskIDs: .literals([AccessBench.id("a"), AccessBench.id("b")])])
        #expect(listed.rule(single, try AccessBench.batch(["b", "a"])) == "r")
        #expect(
            listed.reasons(single, try AccessBench.batch(["a", "x"]))
                == ["the rule r does not apply: it does not list every one of the taskIDs"])
    }

    @Test func `ids from a claim are denied to callers without claims`() throws {
        let policy = try policy(.driver, [.vehicleID: .claim(ClaimPath("v"))])
        #expect(
            policy.reasons(AccessBench.server(), .vehicle(try AccessBench.id("v"))) == [
                "the rule r does not apply: it requires claims, and the caller has no token with claims"
            ])
    }

    @Test func `a reason contains nothing from the caller's claims`() throws {
        let (secret, path) = ("s3cret", try ClaimPath("v"))
        for value in [#""s3cret""#, #"["s3cret"]"#, #"{"s3cret":1}"#, "1.3e5"] {
            let sentence = try #require(try missing(#"{"v":\#(value)}"#, vehicle: "v-1", path: path))
            #expect(!sentence.contains(secret) && !sentence.contains("1.3e5") && !sentence.contains("v-1"))
            let explained = try #require(
                try missing(#"{"v":\#(value)}"#, vehicle: "v-1", path: path, isExplained: true))
            #expect(!explained.contains(secret) && !explained.contains("1.3e5"))
        }
    }
}
