import CallerAccess
import FleetEngineToken
import Testing

@Suite struct AllowedIDTests {
    private func policy(_ kind: TokenKind, _ ids: [IDName: AllowedIDs]) throws -> AccessPolicy {
        try AccessPolicy(rules: [AccessRule(name: "r", kinds: [kind], ids: ids)])
    }

    /// What a caller with these claims misses for the vehicle, after the rule's name.
    private func missing(_ claims: String, vehicle: String, path: ClaimPath) throws -> String? {
        let policy = try policy(.driver, [.vehicleID: .claim(path)])
        let reasons = try policy.reasons(AccessBench.driver(claims), .vehicle(AccessBench.id(vehicle)))
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
                    == ["the rule r does not apply: the tripID is none of those that it lists"])
        }
    }

    @Test func `an id matches an equal text claim, alone or in an array`() throws {
        for claims in [#"{"v":"v-1"}"#, #"{"v":["v-1"]}"#, #"{"v":["x",7,null,"v-1"]}"#] {
            #expect(try missing(claims, vehicle: "v-1", path: ClaimPath("v")) == nil)
        }
    }

    @Test(
        arguments: [
            ("{}", "is missing"), (#"{"v":"v-2"}"#, "is another text"), (#"{"v":"v-1 "}"#, "is another text"),
            (#"{"v":"V-1"}"#, "is another text"), (#"{"v":"v-1 v-2"}"#, "is another text"),
            (#"{"v":""}"#, "is another text"),
            (#"{"v":[]}"#, "is an array"), (#"{"v":["v-11","v-"]}"#, "is an array"),
            (#"{"v":[["v-1"]]}"#, "is an array"),
            (#"{"v":[{"v":"v-1"}]}"#, "is an array"), (#"{"v":{"v-1":true}}"#, "is an object"),
            (#"{"v":true}"#, "is a boolean"), (#"{"v":null}"#, "is null"),
            (#"{"v":1.5}"#, "is a number that is no integer"),
        ])
    func `a claim without the id is reported by type, not by content`(
        claims: String, found: String
    ) throws {
        #expect(
            try missing(claims, vehicle: "v-1", path: ClaimPath("v"))
                == "the claim v \(found); expected the vehicleID as a text or in an array")
    }

    @Test func `an integer never equals an id, and the reason says so`() throws {
        #expect(
            try missing(#"{"v":17}"#, vehicle: "17", path: ClaimPath("v"))
                == "the claim v is an integer; expected the vehicleID as a text or in an array, since an integer never "
                + "equals an id")
        #expect(try missing(#"{"v":[17]}"#, vehicle: "17", path: ClaimPath("v")) != nil)
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
            #expect(
                tasks.reasons(caller, try AccessBench.batch(batch)) == [
                    "the rule r does not apply: the claim tasks is an array; expected every one of the taskIDs in an array"
                ])
        }
        let single = try AccessBench.driver(#"{"tasks":"a"}"#)
        #expect(tasks.rule(single, try AccessBench.batch(["a"])) == "r")
        #expect(tasks.rule(single, try AccessBench.batch(["a", "b"])) == nil)
        let listed = try policy(.taskBatch, [.taskIDs: .literals([AccessBench.id("a"), AccessBench.id("b")])])
        #expect(listed.rule(single, try AccessBench.batch(["b", "a"])) == "r")
        #expect(
            listed.reasons(single, try AccessBench.batch(["a", "x"]))
                == ["the rule r does not apply: the taskIDs are not all among those that it lists"])
    }

    @Test func `ids from a claim are denied to callers without claims`() throws {
        let policy = try policy(.driver, [.vehicleID: .claim(ClaimPath("v"))])
        #expect(
            policy.reasons(AccessBench.server(), .vehicle(try AccessBench.id("v"))) == [
                "the rule r does not apply: it asks for claims, and the caller has no token that holds some"
            ])
    }

    @Test func `a reason contains nothing from the caller's claims or the ids`() throws {
        let secret = "s3cret"
        for value in [#""s3cret""#, #"["s3cret"]"#, #"{"s3cret":1}"#, "1.3e5"] {
            let sentence = try #require(try missing(#"{"v":\#(value)}"#, vehicle: "v-1", path: ClaimPath("v")))
            #expect(!sentence.contains(secret) && !sentence.contains("1.3e5") && !sentence.contains("v-1"))
        }
    }
}
