import CallerAccess
import FleetEngineToken
import StrictJSON
import Testing

@Suite struct ClaimRequirementTests {
    private let trip: PrivateClaims

    init() throws {
        trip = .trip(try AccessBench.id("t"))
    }

    /// What a caller with these claims misses, after the rule's name; nil if nothing.
    private func missing(_ claims: String, _ requirements: ClaimRequirement...) throws -> String? {
        let rule = try AccessRule(name: "r", kinds: [.consumer], claims: requirements, ids: [.tripID: .any])
        let reasons = try AccessPolicy(rules: [rule]).reasons(AccessBench.driver(claims), trip)
        return reasons.first.map { String($0.dropFirst("the rule r does not apply: ".count)) }
    }

    @Test func `a rule lists the outermost name of every claim it reads`() throws {
        let rule = try AccessRule(
            name: "r", kinds: [.consumer, .driver],
            claims: [
                ClaimRequirement(ClaimPath("realm.roles"), contains: "driver"),
                ClaimRequirement(ClaimPath(names: ["https://a.example/fleet"]), equals: .integer(7)),
            ], ids: [.tripID: .claim(ClaimPath("trips")), .vehicleID: .claim(ClaimPath("fleet.vehicle"))])
        #expect(Set(rule.claimNames) == ["realm", "https://a.example/fleet", "trips", "fleet"])
        let open = try AccessRule(name: "o", kinds: [.consumer, .driver], ids: [.tripID: .any, .vehicleID: .any])
        #expect(open.claimNames == [])
    }

    @Test func `a claim equals a literal of the same type and content`() throws {
        let literals: [(JSONValue, String, [String])] = [
            (.string("acme"), #""acme""#, [#""Acme""#, #""acme ""#, #"["acme"]"#, "true", "null", #"{"acme":1}"#]),
            (.bool(true), "true", ["false", #""true""#, "1", "null"]),
            (.bool(false), "false", ["true", "0", #""""#]),
            (.integer(7), "7", ["8", #""7""#, "7.0", "7e0", "[7]"]),
            (.string("caf\u{E9}"), #""caf\u00e9""#, [#""cafe\u0301""#]),
        ]
        for (literal, equal, others) in literals {
            let requirement = try ClaimRequirement(ClaimPath("c"), equals: literal)
            #expect(try missing(#"{"c":\#(equal)}"#, requirement) == nil)
            for other in others { #expect(try missing(#"{"c":\#(other)}"#, requirement) != nil) }
            #expect(try missing("{}", requirement) != nil)
        }
    }

    @Test func `a claim contains a text as an element or as a word`() throws {
        let requirement = try ClaimRequirement(ClaimPath("c"), contains: "fleet")
        for value in [#"["fleet"]"#, #"["a",7,"fleet"]"#, #""fleet""#, #""openid fleet""#, #"" fleet  x""#] {
            #expect(try missing(#"{"c":\#(value)}"#, requirement) == nil)
        }
        let others = [
            #""fleets""#, #""a,fleet""#, #""fleet\tx""#, #""Fleet""#, #""""#, "[]", #"["fleet x"]"#, #"[["fleet"]]"#,
            #"{"fleet":true}"#, "7", "true", "null", #""openid\u00a0fleet""#,
        ]
        for value in others { #expect(try missing(#"{"c":\#(value)}"#, requirement) != nil) }
        let group = try ClaimRequirement(ClaimPath("c"), contains: "fleet admins")
        #expect(try missing(#"{"c":["fleet admins"]}"#, group) == nil)
        #expect(try missing(#"{"c":"fleet admins"}"#, group) != nil)
    }

    @Test func `the reason says what the claim is and what was expected`() throws {
        let scope = try ClaimRequirement(ClaimPath("scope"), contains: "fleet")
        let expected = #"expected an array or a string that contains "fleet""#
        #expect(try missing("{}", scope) == "the claim scope is missing; \(expected)")
        #expect(try missing(#"{"scope":7}"#, scope) == "the claim scope is an integer; \(expected)")
        #expect(try missing(#"{"scope":"openid"}"#, scope) == #"the claim scope does not contain the word "fleet""#)
        #expect(try missing(#"{"scope":[]}"#, scope) == #"the claim scope does not contain "fleet""#)
        let verified = try ClaimRequirement(ClaimPath("email_verified"), equals: .bool(true))
        #expect(try missing(#"{"email_verified":false}"#, verified) == "the claim email_verified is not true")
        #expect(
            try missing(#"{"email_verified":"true"}"#, verified)
                == "the claim email_verified is a string; expected true")
        let tenant = try ClaimRequirement(ClaimPath("a.tenant"), equals: .string("ac\nme"))
        #expect(try missing(#"{"a":{"tenant":3}}"#, tenant) == #"the claim a.tenant is an integer; expected "ac\nme""#)
    }

    @Test func `every requirement must be met, and the first unmet one is named`() throws {
        let one = try ClaimRequirement(ClaimPath("a"), equals: .integer(1))
        let two = try ClaimRequirement(ClaimPath("b"), equals: .integer(2))
        #expect(try missing(#"{"a":1,"b":2}"#, one, two) == nil)
        #expect(try missing(#"{"a":1,"b":3}"#, one, two)?.hasPrefix("the claim b ") == true)
        #expect(try missing(#"{"a":3,"b":3}"#, one, two)?.hasPrefix("the claim a ") == true)
    }

    @Test func `a rule with claim requirements denies callers without claims`() throws {
        let requirement = try ClaimRequirement(ClaimPath("a"), equals: .integer(1))
        let rule = try AccessRule(name: "r", kinds: [.consumer], claims: [requirement], ids: [.tripID: .any])
        #expect(
            try AccessPolicy(rules: [rule]).reasons(AccessBench.server(), trip) == [
                "the rule r does not apply: it requires claims, and the caller has no token with claims"
            ])
    }

    @Test func `a path leads through objects, and names may contain dots`() throws {
        let claims = #"{"a":{"b":{"c":1}},"https://x.example/roles":{"d.e":1},"f":[{"g":1}],"a.b":{"c":2}}"#
        let found = [
            try ClaimPath("a.b.c"), try ClaimPath(names: ["a", "b", "c"]),
            try ClaimPath(names: ["https://x.example/roles", "d.e"]),
        ]
        for path in found { #expect(try missing(claims, ClaimRequirement(path, equals: .integer(1))) == nil) }
        let lost = [
            (try ClaimPath("a.b.c.d"), "a.b.c.d"), (try ClaimPath("a.c"), "a.c"), (try ClaimPath("f.g"), "f.g"),
            (try ClaimPath(names: ["https://x.example/roles", "d", "e"]), #""https://x.example/roles".d.e"#),
            (try ClaimPath("f.0.g"), "f.0.g"),
        ]
        for (path, text) in lost {
            #expect(
                try missing(claims, ClaimRequirement(path, equals: .integer(1)))
                    == "the claim \(text) is missing; expected 1")
        }
    }
}
