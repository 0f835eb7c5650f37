import TestSupport
import Testing

/// `api-key new`, and `explain` for callers with an API key: the real binary, without a running daemon.
@Suite(.blocking) struct APIKeyTests {
    let files: OperatorFiles

    init() throws { files = try OperatorFiles() }

    private func new(_ arguments: String...) throws -> Outcome { try files.run(["api-key", "new"] + arguments) }

    /// The SHA-256 of a text, by `sha256sum`.
    private func digest(_ text: String) throws -> String {
        let outcome = try Program.run("sha256sum", [], input: text)
        return String(outcome.output.prefix { $0 != " " })
    }

    @Test func `api-key new prints the key and a line with only its digest`() throws {
        let outcome = try new("dispatch")
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.count == 6)
        #expect(lines[0] == "The key, which is shown only once:")
        #expect(lines[1].wholeMatch(of: /tpk_[A-Za-z0-9_-]{43}/) != nil)
        #expect(lines[2...3] == ["", "Its line for the file that api_keys.file names:"])
        #expect(lines[4] == "dispatch sha256:\(try digest(lines[1]))")
        #expect(lines[5] == "")
        #expect(try new("dispatch").output != outcome.output)
    }

    @Test func `with --json the key and its complete line are one object`() throws {
        let outcome = try new(
            "a.b_C-1", "--expires", "2027-01-31T00:00:00Z", "--rule", "riders", "--rule", "dispatch", "--json")
        let members = try outcome.json()
        #expect(Set(members.keys) == ["key", "line"])
        let key = try #require(members["key"] as? String)
        #expect(
            members["line"] as? String
                == "a.b_C-1 sha256:\(try digest(key)) expires=2027-01-31T00:00:00Z rules=dispatch,riders")
    }

    @Test(arguments: [
        (
            ["a/b"],
            "the key's name is malformed; expected 1 to 64 characters of A-Z a-z 0-9 . _ -, and not tpk_ before them"
        ),
        (
            ["tpk_dispatch"],
            "the key's name is malformed; expected 1 to 64 characters of A-Z a-z 0-9 . _ -, and not tpk_ before them"
        ),
        (
            ["dispatch", "--expires", "2027-01-31"],
            "the key's expiry is malformed; expected a date from 1970 to 9999 such as expires=2027-01-31T00:00:00Z"
        ),
        (
            ["dispatch", "--expires", "2020-01-01T00:00:00Z"],
            "--expires is in the past; expected a later date"
        ),
        (
            ["dispatch", "--rule", "a b"],
            "the key's rules are malformed; expected names between commas such as rules=dispatch,support"
        ),
    ])
    func `an invalid name, date or rule is a usage error without output`(arguments: [String], sentence: String) throws {
        let outcome = try files.run(["api-key", "new"] + arguments)
        #expect(outcome.status == 64)
        #expect(outcome.output == "")
        #expect(outcome.sentences == [sentence])
    }

    /// A configuration whose rule allows one API key tokens for one vehicle, and that key.
    private func configured() throws -> (config: String, key: String) {
        let made = try new("dispatch", "--json").json()
        try files.scratch.write("keys", "# keys\n\(try #require(made["line"] as? String))\n")
        let config = try files.configuration(
            """
            credentials: key.json
            api_keys: {file: keys}
            rules: [{name: depot, kinds: driver, api_keys: dispatch, ids: {vehicleID: [v-1]}}]

            """)
        return (config, try #require(made["key"] as? String))
    }

    @Test func `explain names the rule or what is missing, with matching status`() throws {
        let (config, key) = try configured()
        let explain = ["explain", "--config", config, "--as", key, "--vehicle"]
        let allowed = try files.run(explain + ["v-1"])
        #expect(allowed.status == 0)
        #expect(
            allowed.output == """
                allowed: a token of the kind driver
                caller:  "dispatch" (api_key)
                because: the rule depot allows it

                ✓ credentials  "dispatch" (api_key)
                ✓ rule depot   it allows this

                """)
        let refused = try files.run(explain + ["v-2", "--json"])
        #expect(refused.status == 1)
        let members = try refused.json()
        #expect(members["allowed"] as? Bool == false)
        #expect(members["principal"] as? String == "dispatch")
        #expect(members["source"] as? String == "api_key")
        #expect(
            members["reason"] as? String
                == "the rule depot does not apply: it does not list the vehicleID v-2")
    }

    @Test func `explain reads credentials from standard input and reports when there are none`() throws {
        let (config, key) = try configured()
        let explain = ["explain", "--config", config, "--vehicle", "v-1"]
        let read = try Program.run(Program.daemon, explain + ["--as", "-"], input: " Bearer \(key)\n")
        #expect(read.status == 0)
        #expect(read.output.contains("because: the rule depot allows it\n"))
        let none = try files.run(explain)
        #expect(none.status == 1)
        #expect(none.output.contains("because: the request has no credentials\n"))
    }

    @Test func `explain refuses when the configuration does not say who may call`() throws {
        let config = try files.configuration("credentials: key.json\n")
        let outcome = try files.run(["explain", "--config", config, "--vehicle", "v-1"])
        #expect(outcome.status == 78)
        #expect(outcome.output == "")
        #expect(outcome.sentences.map { $0.prefix(28) } == ["nothing says who may call: t"])
    }
}
