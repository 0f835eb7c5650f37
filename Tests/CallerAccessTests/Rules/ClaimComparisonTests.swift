import StrictJSON
import Testing

@testable import CallerAccess

/// What an operator reads of a rule that does not apply: the claim's value beside what the rule expects.
@Suite struct ClaimComparisonTests {
    private func detail(_ claims: String, _ rule: AccessRule) throws -> String {
        let caller = try AccessBench.driver(claims)
        let checks = try AccessPolicy(rules: [rule]).checks(
            caller, .vehicle(try AccessBench.id("vehicle-1")), caller.claims ?? [:])
        #expect(checks.map(\.name) == ["rule r"])
        #expect(
            checks[0].isMet
                == (try AccessPolicy(rules: [rule]).rule(caller, .vehicle(AccessBench.id("vehicle-1"))) != nil))
        return checks[0].detail
    }

    @Test(arguments: [
        (#"{"vehicle":"vehicle-1"}"#, "it allows this"),
        (
            #"{"vehicle":"vehicle-1 "}"#,
            #"the claim vehicle is "vehicle-1 " (a space at the end), expected "vehicle-1""#
        ),
        (#"{"vehicle":"\u00a0vehicle-1"}"#, "the claim vehicle is \"\u{A0}vehicle-1\", expected \"vehicle-1\""),
        (
            #"{"vehicle":"  vehicle-1"}"#,
            #"the claim vehicle is "  vehicle-1" (spaces at the beginning), expected "vehicle-1""#
        ),
        (#"{"vehicle":"Vehicle-1"}"#, #"the claim vehicle is "Vehicle-1", expected "vehicle-1" (case differs)"#),
        (
            #"{"vehicle":["a","VEHICLE-1"]}"#,
            #"the claim vehicle is ["a","VEHICLE-1"], expected "vehicle-1" (case differs)"#
        ),
        (#"{"vehicle":"eyJhbGciOiJub25lIn0.eyJ9.x"}"#, #"the claim vehicle is "eyJ…", expected "vehicle-1""#),
        (
            #"{"https://example.com/vehicle":"vehicle-1"}"#,
            #"the claim vehicle is missing; the token has https://example.com/vehicle; expected "vehicle-1""#
        ),
        (#"{"Vehicle":"x"}"#, #"the claim vehicle is missing; the token has Vehicle; expected "vehicle-1""#),
        (
            #"{"vehi_cle":"x","Vehicle":1}"#,
            #"the claim vehicle is missing; the token has vehi_cle; expected "vehicle-1""#
        ),
        (
            #"{"app":{"vehicle":"x"}}"#,
            #"the claim vehicle is missing; the token has app.vehicle; expected "vehicle-1""#
        ),
        (#"{"ve hicle":"x"}"#, #"the claim vehicle is missing; the token has "ve hicle"; expected "vehicle-1""#),
        (#"{"vehicles":"x"}"#, #"the claim vehicle is missing; expected "vehicle-1""#),
    ])
    func `an id's claim is shown beside the id that was asked for`(claims: String, expected: String) throws {
        let rule = try AccessRule(name: "r", kinds: [.driver], ids: [.vehicleID: .claim(ClaimPath("vehicle"))])
        #expect(try detail(claims, rule) == expected)
    }

    @Test func `a number is shown, and never equals an id`() throws {
        let rule = try AccessRule(name: "r", kinds: [.driver], ids: [.vehicleID: .claim(ClaimPath("vehicle"))])
        let caller = try AccessBench.driver(#"{"vehicle":7}"#)
        let checks = try AccessPolicy(rules: [rule]).checks(
            caller, .vehicle(try AccessBench.id("7")), caller.claims ?? [:])
        #expect(
            checks.map(\.detail) == [
                #"the claim vehicle is 7, expected "7"; an integer never equals an id"#
            ])
    }

    @Test(arguments: [
        (#"{"role":"Driver"}"#, #"the claim role is "Driver", expected "driver" (case differs)"#),
        (#"{"role":7}"#, #"the claim role is 7, expected "driver""#),
        (#"{"app":{"Role":7}}"#, #"the claim role is missing; the token has app.Role; expected "driver""#),
    ])
    func `a required text is shown beside the claim`(claims: String, expected: String) throws {
        let required = try ClaimRequirement(ClaimPath("role"), equals: .string("driver"))
        let rule = try AccessRule(name: "r", kinds: [.driver], claims: [required], ids: [.vehicleID: .any])
        #expect(try detail(claims, rule) == expected)
    }

    @Test(arguments: [
        (#"{"app":{"verified":"true"}}"#, #"the claim app.verified is "true", expected true"#),
        (#"{"app.verified":true}"#, #"the claim app.verified is missing; the token has "app.verified"; expected true"#),
        (#"{"verified":true}"#, "the claim app.verified is missing; the token has verified; expected true"),
    ])
    func `a required boolean is shown beside its claim, nested or not`(claims: String, expected: String) throws {
        let required = try ClaimRequirement(ClaimPath("app.verified"), equals: .bool(true))
        let rule = try AccessRule(name: "r", kinds: [.driver], claims: [required], ids: [.vehicleID: .any])
        #expect(try detail(claims, rule) == expected)
    }

    @Test func `a rule for other callers names the caller's source`() throws {
        let rule = try AccessRule(
            name: "r", kinds: [.driver], callers: [.apiKey(name: "depot")], ids: [.vehicleID: .any])
        #expect(try detail("{}", rule) == "it is for other callers than jwt https://id.example")
    }

    @Test func `without a rule for the kind, that is said`() throws {
        let rule = try AccessRule(name: "r", kinds: [.consumer], ids: [.tripID: .any])
        let checks = try AccessPolicy(rules: [rule]).checks(AccessBench.driver(), .server, [:])
        #expect(checks == [DecisionCheck("rules", false, "no rule names the kind server")])
    }
}
