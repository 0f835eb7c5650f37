import FleetEngineToken
import Testing

@testable import TokenProvider

/// The token that the flags of `mint` select.
@Suite struct SubjectOptionsTests {
    private func id(_ text: String) throws -> FleetEngineID { try FleetEngineID(text) }

    /// Why the flags are refused, or "accepted".
    private func refusal(of flags: [String]) throws -> String {
        let options = try SubjectOptions.parse(flags)
        do {
            _ = try options.claims()
            return "accepted"
        } catch {
            return error.sentence
        }
    }

    private func claims(_ flags: String...) throws -> PrivateClaims { try SubjectOptions.parse(flags).claims() }

    @Test func `an id flag selects the kind; a kind flag resolves ambiguity`() throws {
        let id = try id("x")
        #expect(try claims("--trip", "x") == .trip(id))
        #expect(try claims("--vehicle", "x") == .vehicle(id))
        #expect(try claims("--delivery-vehicle", "x") == .untrustedDeliveryVehicle(id))
        #expect(
            try claims("--delivery-vehicle", "x", "--kind", "trusted_delivery_driver")
                == .trustedDeliveryVehicle(id, task: nil))
        #expect(try claims("--tracking", "x", "--kind", "delivery_consumer") == .trackingID(id))
        #expect(try claims("--task", "x") == .task(id))
        #expect(try claims("--task=-x") == .task(self.id("-x")))
        #expect(try claims("--all-tasks") == .everyTask)
        #expect(try claims("--all-tasks", "--kind", "task_batch") == .everyTask)
    }

    @Test func `a vehicle and a task give one token in either order`() throws {
        let both = PrivateClaims.trustedDeliveryVehicle(try id("v"), task: try id("t"))
        #expect(try claims("--delivery-vehicle", "v", "--task", "t") == both)
        #expect(try claims("--task", "t", "--delivery-vehicle", "v") == both)
        #expect(try claims("--task", "t", "--delivery-vehicle", "v", "--kind", "trusted_delivery_driver") == both)
    }

    @Test func `tasks separated by commas or flags keep their order`() throws {
        let batch = PrivateClaims.tasks(try TaskBatch([id("b"), id("a"), id("c")]))
        #expect(try claims("--tasks", "b,a,c") == batch)
        #expect(try claims("--tasks", "b", "--tasks", "a,c", "--kind", "task_batch") == batch)
    }

    @Test(arguments: TokenKind.wildcards)
    func `a wildcard kind needs no id`(kind: TokenKind) throws {
        let claims = try claims("--kind", kind.rawValue)
        #expect(claims.kind == kind)
        #expect(claims == PrivateClaims(wildcard: kind))
    }

    static let flags = ["--trip", "--vehicle", "--delivery-vehicle", "--task", "--tracking", "--tasks"]

    @Test func `two ids are refused, except a delivery vehicle and a task`() throws {
        for (place, first) in Self.flags.enumerated() {
            for second in Self.flags[(place + 1)...] where (first, second) != ("--delivery-vehicle", "--task") {
                let sentence = "\(first) and \(second): no token is for both; expected one of them"
                #expect(try refusal(of: [first, "a", second, "b"]) == sentence)
                #expect(try refusal(of: [second, "b", first, "a"]) == sentence)
            }
            #expect(
                try refusal(of: [first, "a", "--all-tasks"])
                    == "\(first) and --all-tasks: no token is for both; expected one of them")
        }
        #expect(
            try refusal(of: ["--delivery-vehicle", "a", "--task", "b", "--tracking", "c"])
                == "--delivery-vehicle and --tracking: no token is for both; expected one of them")
    }

    @Test(arguments: [
        ("consumer", "--vehicle", "--trip ID"), ("driver", "--trip", "--vehicle ID"),
        ("untrusted_delivery_driver", "--tracking", "--delivery-vehicle ID"),
        ("trusted_delivery_driver", "--task", "--delivery-vehicle ID, and --task ID if there is one"),
        ("delivery_consumer", "--tasks", "--tracking ID or --task ID"),
        ("task_batch", "--task", "--tasks ID,ID or --all-tasks"),
    ])
    func `an id of another kind, or a kind without id, is refused`(
        kind: String, flag: String, expected: String
    ) throws {
        #expect(
            try refusal(of: ["--kind", kind, flag, "a"])
                == "\(flag) and --kind \(kind): no such token is for that; expected \(expected)")
        #expect(
            try refusal(of: ["--kind", kind])
                == "--kind \(kind): nothing says what the token is for; expected \(expected)")
    }

    @Test func `a task is refused for untrusted drivers, all tasks for consumers`() throws {
        #expect(
            try refusal(of: ["--kind", "untrusted_delivery_driver", "--delivery-vehicle", "v", "--task", "t"])
                == "--task and --kind untrusted_delivery_driver: no such token is for that; "
                + "expected --delivery-vehicle ID")
        #expect(
            try refusal(of: ["--kind", "delivery_consumer", "--all-tasks"])
                == "--all-tasks and --kind delivery_consumer: no such token is for that; "
                + "expected --tracking ID or --task ID")
    }

    @Test(arguments: TokenKind.wildcards)
    func `an id with a wildcard kind is refused`(kind: TokenKind) throws {
        for flag in Self.flags + ["--all-tasks"] {
            let value = flag == "--all-tasks" ? [] : ["a"]
            #expect(
                try refusal(of: ["--kind", kind.rawValue, flag] + value)
                    == "\(flag) and --kind \(kind.rawValue): no such token is for that; "
                    + "expected no flag that names an id")
        }
    }

    @Test(arguments: [
        ("--trip", "--kind server for all trips and vehicles"),
        ("--vehicle", "--kind server for all trips and vehicles"),
        ("--delivery-vehicle", "--kind delivery_server for all of deliveries"),
        ("--tracking", "--kind delivery_server for all of deliveries"), ("--task", "--all-tasks for every task"),
        ("--tasks", "--all-tasks for every task"),
    ])
    func `a wildcard id is refused, naming the flag to use instead`(flag: String, meant: String) throws {
        #expect(
            try refusal(of: [flag, "*"])
                == "\(flag): \(FleetEngineIDError.wildcard.sentence), or instead of this flag \(meant)")
    }

    @Test func `an invalid id is refused with its flag and the rule`() throws {
        #expect(try refusal(of: ["--trip", "a/b"]) == "--trip: the id contains U+002F '/'; expected none of / : ? , #")
        #expect(try refusal(of: ["--task", ""]) == "--task: the id is empty; expected 1 to 64 characters")
        #expect(try refusal(of: ["--tasks", "a,"]) == "--tasks: the id is empty; expected 1 to 64 characters")
        #expect(
            try refusal(of: ["--tasks", "a", "--tasks", "a"])
                == "--tasks: the list has an id more than once; expected each task once")
        #expect(
            try refusal(of: ["--vehicle", "a\u{FFFD}"])
                == "--vehicle: the id is not valid UTF-8, or contains U+FFFD; expected UTF-8")
    }

    @Test func `a flag given twice is refused, even with the same id`() throws {
        for flag in Self.flags.dropLast() {
            #expect(try refusal(of: [flag, "a", flag, "a"]) == "\(flag) is given more than once; expected it once")
        }
    }

    @Test func `without any subject flag the error lists all of them`() throws {
        #expect(
            try refusal(of: [])
                == "nothing says what the token is for; expected --trip ID, --vehicle ID, --delivery-vehicle ID, "
                + "--tracking ID, --task ID, --tasks ID, --all-tasks or --kind with one of server, delivery_server, "
                + "delivery_fleet_reader, fleet_reader")
    }
}
