import TestSupport
import Foundation
import Testing

/// `token-provider mint`, with the real binary.
@Suite(.blocking) struct MintTests {
    let files: OperatorFiles

    init() throws { files = try OperatorFiles() }

    private func mint(_ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
        try files.run(["mint"] + arguments, environment: environment)
    }

    @Test func `mint, jwks and check fail when standard output is full`() throws {
        for command in ["mint --trip t", "jwks", "check"] {
            let line = "\"$0\" \(command) --credentials \"$1\" > /dev/full"
            let outcome = try Program.run("sh", ["-c", line, Program.daemon, files.key.path])
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("standard output cannot be written: No space left on device"))
        }
    }

    // MARK: Every kind

    static let rows: [MintedRow] = [
        MintedRow(["--trip", "trip-1"], "consumer", ["trip-1"]),
        MintedRow(["--vehicle", "véhicule 1+2&3"], "driver", ["véhicule 1+2&3"]),
        MintedRow(["--kind", "server"], "server"),
        MintedRow(["--delivery-vehicle", "van-1"], "untrusted_delivery_driver", ["van-1"]),
        MintedRow(
            ["--delivery-vehicle", "van-1", "--kind", "trusted_delivery_driver"], "trusted_delivery_driver", ["van-1"]),
        MintedRow(
            ["--task", "task-1", "--delivery-vehicle", "van-1"], "trusted_delivery_driver+task", ["van-1", "task-1"]),
        MintedRow(["--tracking", "parcel-1"], "delivery_consumer", ["parcel-1"]),
        MintedRow(["--task", "task-1"], "delivery_consumer+task", ["task-1"]),
        MintedRow(["--tasks", "task-1,task-2", "--tasks", "task-3"], "task_batch", ["task-1", "task-2", "task-3"]),
        MintedRow(["--tasks", "task-1"], "task_batch", ["task-1"]),
        MintedRow(["--all-tasks"], "task_batch+all"),
        MintedRow(["--kind", "delivery_server"], "delivery_server"),
        MintedRow(["--kind", "delivery_fleet_reader"], "delivery_fleet_reader"),
        MintedRow(["--kind", "fleet_reader"], "fleet_reader"),
    ]

    @Test func `tokens of every kind have expected claims and verify in PyJWT`() throws {
        let facts = try verify(Self.rows, ["--credentials", files.key.path])
        #expect(facts["rows"] == facts["all"])
    }

    /// Mints a token for each row, and checks it with PyJWT against the contract's table.
    @discardableResult
    private func verify(_ rows: [MintedRow], _ source: [String]) throws -> [String: [String]] {
        let now = Int(Date().timeIntervalSince1970)
        let tokens = try rows.map { row in
            let outcome = try mint(source + row.flags)
            try #require(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.output.wholeMatch(of: Self.tokenAlone) != nil)
            let key = row.key ?? files.key
            return [
                "token": String(outcome.output.dropLast()), "row": row.name, "ids": row.ids, "account": key.account,
                "key_id": key.keyID, "now": now, "within": 30, "audience": "https://fleetengine.googleapis.com/",
                "lifetime": row.lifetime, "backdate": row.backdate,
            ] as [String: Any]
        }
        let json = String(decoding: try JSONSerialization.data(withJSONObject: tokens), as: UTF8.self)
        let sets = try Set(rows.map { ($0.key ?? files.key).path }).map { path in
            try files.run(["jwks", "--json", "--credentials", path]).json()["keys"] as? [Any] ?? []
        }
        let set = try JSONSerialization.data(withJSONObject: ["keys": sets.flatMap(\.self)])
        let keys = try files.scratch.write("keys.json", String(decoding: set, as: UTF8.self))
        let facts = try PythonClients.runVerifier("minted_tokens.py", [keys, files.scratch.write("tokens.json", json)])
        return try #require(facts as? [String: [String]])
    }

    /// One line with a token that an RSA-2048 key signed.
    private static var tokenAlone: Regex<Substring> { /eyJ[\w\-]+\.eyJ[\w\-]+\.[\w\-]{342}\n/ }

    @Test func `the tested kinds are all the kinds that --help lists`() throws {
        let help = try files.run(["mint", "--help"]).output.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        let start = try #require(help.range(of: "(values: ")).upperBound
        let values = help[start...].prefix { $0 != ")" }.components(separatedBy: ", ")
        #expect(values.count == 10)
        #expect(Set(values) == Set(Self.rows.map { String($0.name.split(separator: "+")[0]) }))
    }

    // MARK: Forms

    @Test func `--header output works with curl inside command substitution`() throws {
        let demo = try DaemonProcess(["demo", "--listen", "127.0.0.1:0"])
        let script = """
            curl -sv -H "$("$0" mint --credentials "$1" --trip t-1 --header)" "$2/healthz" 2>&1
            """
        let sent = try Program.mustRun("/bin/sh", ["-c", script, Program.daemon, files.key.path, demo.url])
        let line = try #require(sent.split(whereSeparator: \.isNewline).first { $0.hasPrefix("> Authorization: ") })
        #expect(line.wholeMatch(of: /> Authorization: Bearer eyJ[\w-]+\.eyJ[\w-]+\.[\w-]{342}/) != nil)
    }

    @Test func `--show prints header, claims and times, but not the token`() throws {
        let shown = try files.mintByKey(["--vehicle", "v-1", "--show"])
        #expect(shown.status == 0)
        #expect(shown.errors == "")
        #expect(
            shown.output.hasPrefix(
                """
                Header
                {
                  "alg": "RS256",
                  "typ": "JWT",
                  "kid": "\(files.key.keyID)"
                }

                Claims
                {
                  "iss": "\(files.key.account)",
                  "sub": "\(files.key.account)",
                  "aud": "https://fleetengine.googleapis.com/",
                  "iat": 
                """))
        #expect(shown.output.contains("Z  5 min ago\nexp  "))
        #expect(shown.output.contains("Z  expires in 55 min\n") || shown.output.contains("Z  expires in 54 min\n"))
        #expect(
            shown.output.hasSuffix(
                "For\na driver token for vehicle \"v-1\"; the account needs roles/fleetengine.driverSdkUser\n"))
        #expect(!shown.output.contains("eyJ"))
        #expect(!shown.output.contains("\u{1B}"))
    }

    @Test func `--json has the token, account, key id, times and claims`() throws {
        let json = try files.mintByKey(["--delivery-vehicle", "v", "--task", "t", "--json"]).json()
        #expect(
            Set(json.keys) == ["token", "kind", "account", "kid", "issuedAt", "expiresAt", "header", "claims"])
        let claims = try #require(json["claims"] as? [String: Any])
        #expect(claims["authorization"] as? [String: String] == ["deliveryvehicleid": "v", "taskid": "t"])
        #expect(claims["iat"] as? Int == json["issuedAt"] as? Int)
        #expect(claims["exp"] as? Int == json["expiresAt"] as? Int)
        #expect(json["header"] as? [String: String] == ["alg": "RS256", "typ": "JWT", "kid": files.key.keyID])
        #expect(json["account"] as? String == files.key.account)
        #expect(json["kid"] as? String == files.key.keyID)
        #expect((json["token"] as? String)?.split(separator: ".").count == 3)
    }

    // MARK: Keys and times

    @Test func `each kind uses its own key and lifetime, even when not served`() throws {
        let server = try ServiceAccountFile(
            in: files.scratch, name: "server", account: "server@fleet-test.iam.gserviceaccount.com", keyID: "server-key"
        )
        let config = try files.configuration(
            """
            credentials: key.json
            token: {backdate: 2m}
            kinds:
              enabled: [driver]
              server: {credentials: server.json, lifetime: 30m}
            """)
        try verify(
            [
                MintedRow(["--trip", "t"], "consumer", ["t"], backdate: 120),
                MintedRow(["--trip", "t", "--lifetime", "15m"], "consumer", ["t"], lifetime: 900, backdate: 120),
                MintedRow(["--kind", "server"], "server", key: server, lifetime: 1800, backdate: 120),
                MintedRow(
                    ["--kind", "server", "--lifetime", "901"], "server", key: server, lifetime: 901, backdate: 120),
            ], ["--config", config])
    }

    @Test func `mint takes its key from the same environment variables as serve`() throws {
        let google = try mint(["--trip", "t"], environment: ["GOOGLE_APPLICATION_CREDENTIALS": files.key.path])
        #expect(google.status == 0)
        let own = ["TOKEN_PROVIDER_KINDS_FLEET_READER_CREDENTIALS": files.key.path]
        #expect(try mint(["--kind", "fleet_reader"], environment: own).status == 0)
        let other = try mint(["--trip", "t"], environment: own)
        #expect(other.status == 78)
        #expect(other.output == "")
        #expect(
            other.sentences == [
                "no key for the kind consumer; expected --credentials FILE, or the setting "
                    + "kinds.consumer.credentials or credentials"
            ])
        let none = try mint(["--trip", "t"])
        #expect(none.status == 78)
        #expect(
            none.sentences.last?.hasPrefix("Google signs consumer tokens (the metadata server)") == true,
            "\(none.sentences)")
        let missing = try mint(["--trip", "t", "--credentials", "/nowhere/key.json"])
        #expect(missing.status == 78)
        #expect(missing.sentences == ["/nowhere/key.json: cannot be opened: No such file or directory"])
    }

    @Test func `warnings go to standard error, and standard output has only the token`() throws {
        let wildcard = try files.mintByKey(["--kind", "server"])
        #expect(
            wildcard.sentences == [
                "warning: \"*\" in tripid and vehicleid opens everything; "
                    + "keep this token on your servers and operators' pages, never on a phone"
            ])
        try FileManager.default.setAttributes([.posixPermissions: 0o604], ofItemAtPath: files.key.path)
        let readable = try mint(
            ["--credentials", files.key.path, "--trip", "t"],
            environment: ["TOKEN_PROVIDER_TOKEN_AUDIENCE": "https://fleetengine.googleapis.com"])
        #expect(readable.status == 0)
        #expect(readable.output.wholeMatch(of: Self.tokenAlone) != nil)
        #expect(
            readable.sentences == [
                "warning: \(files.key.path): others can read this file and so sign as the account; expected chmod 600",
                "warning: Fleet Engine would refuse this token: aud has no slash at its end; "
                    + "set aud to the one string \"https://fleetengine.googleapis.com/\"",
            ])
    }
}
