import Testing

@testable import CallerAccess

/// API keys that are restricted to some rules.
@Suite struct APIKeyRuleTests {
    private let key: APIKey

    init() throws { key = try #require(APIKey(random: [UInt8](repeating: 5, count: 32))) }

    private func principal(_ rules: Set<String>?) throws -> Principal {
        let entry = try APIKeyEntry(name: "billing", key: key, rules: rules)
        return try APIKeyTable(parsing: Array(entry.line.utf8)).principal(of: Array(key.text.utf8), at: 0)
    }

    private static func policy() throws -> AccessPolicy {
        try AccessPolicy(rules: [
            AccessRule(name: "first", kinds: [.server]), AccessRule(name: "second", kinds: [.server, .fleetReader]),
            AccessRule(name: "others", kinds: [.server], callers: [.apiKey(name: "dispatch")]),
        ])
    }

    @Test func `a line lists its rules sorted, and the caller gets them`() throws {
        let entry = try APIKeyEntry(name: "billing", key: key, expiresAt: 1, rules: ["b", "a", "C.1_-"])
        #expect(entry.line.hasSuffix(" expires=1970-01-01T00:00:01Z rules=C.1_-,a,b"))
        let table = try APIKeyTable(parsing: Array(entry.line.utf8))
        #expect(table.restrictions.map(\.rule) == ["C.1_-", "a", "b"])
        #expect(try table.principal(of: Array(key.text.utf8), at: 0).rules == ["a", "b", "C.1_-"])
        #expect(try principal(nil).rules == nil)
    }

    @Test func `the fields after the digest may come in either order`() throws {
        let line = "billing sha256:\(String(repeating: "0a", count: 32)) rules=a,a,b expires=2027-01-31T00:00:00Z"
        let table = try APIKeyTable(parsing: Array(line.utf8))
        #expect(table.names == ["billing"])
        #expect(table.restrictions.map(\.rule) == ["a", "b"])
    }

    @Test func `restrictions of keys are listed in file order, with line and name`() throws {
        let digits = String(repeating: "0", count: 62)
        let lines =
            "# keys\nlate sha256:\(digits)ff rules=b,a\nfree sha256:\(digits)77\nearly sha256:\(digits)00 rules=c\n"
        #expect(
            try APIKeyTable(parsing: Array(lines.utf8)).restrictions == [
                APIKeyRestriction(line: 2, key: "late", rule: "a"), APIKeyRestriction(line: 2, key: "late", rule: "b"),
                APIKeyRestriction(line: 4, key: "early", rule: "c"),
            ])
    }

    @Test(arguments: [[], [""], ["a", "b/c"], ["a,b"], [String(repeating: "a", count: 65)]] as [Set<String>])
    func `empty or malformed rule names are refused`(rules: Set<String>) {
        #expect(throws: APIKeyFileError.Problem.malformedRules) {
            try APIKeyEntry(name: "billing", key: key, rules: rules)
        }
    }

    @Test func `a restricted key is allowed only by its own rules`() throws {
        let policy = try Self.policy()
        #expect(policy.rule(try principal(nil), .server) == "first")
        #expect(policy.rule(try principal(["second"]), .server) == "second")
        #expect(policy.rule(try principal(["second"]), .fleetReader) == "second")
        #expect(policy.rule(try principal(["first"]), .fleetReader) == nil)
        #expect(policy.rule(try principal(["others"]), .server) == nil)
        #expect(policy.rule(try principal(["nowhere"]), .server) == nil)
    }

    @Test func `each rule that a key may not use gives its reason`() throws {
        #expect(
            try Self.policy().reasons(try principal(["others"]), .server) == [
                "the rule first does not apply: the caller is restricted to other rules",
                "the rule second does not apply: the caller is restricted to other rules",
                "the rule others does not apply: it is for other callers",
            ])
    }
}
