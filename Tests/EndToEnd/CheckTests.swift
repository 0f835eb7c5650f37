import TestSupport
import Foundation
import Testing

/// `token-provider check`, the real binary.
@Suite(.blocking) struct CheckTests {
    let files: OperatorFiles

    init() throws { files = try OperatorFiles() }

    private func check(_ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
        try files.run(["check"] + arguments, environment: environment)
    }

    // MARK: Valid

    /// The sections of the report on a valid configuration, and the configuration's path.
    private func checkValid() throws -> (sections: [String], config: String) {
        _ = try ServiceAccountFile(
            in: files.scratch, name: "server", account: files.key.account, keyID: "server-key", permissions: 0o644)
        let config = try files.configuration(
            """
            listen: [0.0.0.0:8080, unix:tokens.sock]
            callers: none
            credentials: key.json
            kinds:
              enabled: [consumer, fleet_reader, server]
              consumer: {lifetime: 10m}
              driver: {credentials: nowhere.json}
              server: {credentials: server.json}
            """)
        let outcome = try check(["--config", config])
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        return (outcome.output.components(separatedBy: "\n\n"), config)
    }

    @Test func `check lists each kind of a valid configuration and exits 0`() throws {
        let sections = try checkValid().sections
        let folder = files.scratch.folder.path
        let account = files.key.account
        #expect(
            sections.first == """
                Kinds
                on      consumer for 10m by \(account)
                        key \(files.key.keyID) of \(folder)/key.json
                        -> the account needs roles/fleetengine.consumerSdkUser
                off     driver
                        -> kinds.enabled turns it on
                off     untrusted_delivery_driver
                        -> kinds.enabled turns it on
                off     trusted_delivery_driver
                        -> kinds.enabled turns it on
                off     delivery_consumer
                        -> kinds.enabled turns it on
                off     task_batch
                        -> kinds.enabled turns it on
                on      server for 1h by \(account)
                        key server-key of \(folder)/server.json
                        -> the account needs roles/fleetengine.ondemandAdmin; authenticated callers only
                off     delivery_server
                        -> kinds.enabled turns it on
                off     delivery_fleet_reader
                        -> kinds.enabled turns it on
                on      fleet_reader for 1h by \(account)
                        key \(files.key.keyID) of \(folder)/key.json
                        -> the account needs a role that Google does not document, and never an admin's; \
                authenticated callers only
                """)
    }

    @Test func `the report ends with addresses, warnings and the verdict`() throws {
        let (sections, config) = try checkValid()
        let folder = files.scratch.folder.path
        let account = files.key.account
        #expect(
            sections.dropFirst().filter { !$0.hasPrefix("Memory\n") && !$0.hasPrefix("Signatures\n") } == [
                "Addresses\nhttp://0.0.0.0:8080\nunix:\(folder)/tokens.sock", "Addresses for admin\nnone",
                """
                Warnings
                warning \(config):2:1: callers: "none" gives a token to every client that can reach "0.0.0.0:8080"; expected issuers, \
                api_keys.file, tls.client_ca_file or forward_auth.url
                warning \(config):1:1: listen: plain HTTP on "0.0.0.0:8080": tokens are sent unencrypted; expected \
                tls.listen, or a proxy in front (proxies.trusted)
                warning \(config):7:12: kinds.driver.credentials: this key signs nothing, because kinds.enabled does \
                not name the kind; expected it there, or no such key
                warning \(config):6:14: kinds.consumer.lifetime: 10m is short: Google's Android samples subtract 10 \
                minutes and would fetch a token for every call; expected 660s or more
                warning \(folder)/server.json: others can read this file and so sign as the account; expected chmod 600
                warning kinds.server: its account \(account) signs consumer tokens too, whose limits Fleet Engine \
                ignores if that account may do everything; expected an account for each
                warning kinds.fleet_reader: its account \(account) signs consumer tokens too, whose limits Fleet \
                Engine ignores if that account may do everything; expected an account for each
                """,
                "serve would start.\n",
            ])
    }

    @Test func `the report says what memory clients may hold and what fits it`() throws {
        let flags = ["--credentials", files.key.path, "--listen", "127.0.0.1:0"]
        let text = try check(flags, environment: ["TOKEN_PROVIDER_LIMITS_MEMORY": "64MiB"]).output
        let parts = "64MiB for clients, 80MiB for caches, 48MiB for the tables of limits and 24MiB for the program"
        #expect(text.contains("Memory\nmemory: \(parts) are 216MiB of "))
        #expect(
            text.contains("clients may have 10922 idle ones, or 2340 with TLS and HTTP/2; http.max_connections is 1"))
        let report = try check(flags + ["--json"], environment: ["TOKEN_PROVIDER_LIMITS_MEMORY": "1024GiB"]).json()
        let memory = try #require(report["memory"] as? [String: Int])
        #expect(memory["clients"] == 1 << 40)
        #expect(memory["sum"] == (1 << 40) + (152 << 20))
        let warnings = try #require(report["warnings"] as? [String])
        #expect(warnings.contains { $0.hasPrefix("clients, caches and tables may take 1048728MiB of memory, but ") })
    }

    @Test func `a kind without a key is off and names its setting`() throws {
        let json = try check(["--credentials", files.key.path, "--json"]).json()
        let kinds = try #require(json["kinds"] as? [[String: Any]])
        let off = kinds.filter { $0["state"] as? String == "off" }
        #expect(
            off.compactMap { ($0["settings"] as? [String])?.first } == [
                "kinds.server.credentials", "kinds.delivery_server.credentials",
                "kinds.delivery_fleet_reader.credentials", "kinds.fleet_reader.credentials",
            ])
        let one = try check(
            ["--json"], environment: ["TOKEN_PROVIDER_KINDS_DRIVER_CREDENTIALS": files.key.path]
        ).json()
        let states = try #require(one["kinds"] as? [[String: Any]])
        #expect(states.filter { $0["state"] as? String == "on" }.compactMap { $0["kind"] as? String } == ["driver"])
    }

    @Test func `the JSON report has every member and all kinds`() throws {
        let outcome = try check(["--credentials", files.key.path, "--listen", "127.0.0.1:0", "--json"])
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        let json = try outcome.json()
        #expect(
            Set(json.keys) == [
                "starts", "service", "errors", "warnings", "fetched", "listen", "admin", "signing", "memory", "kinds",
            ])
        #expect(json["starts"] as? Bool == true)
        #expect(json["errors"] as? [String] == [])
        #expect(json["warnings"] as? [String] == [])
        #expect(json["listen"] as? [String] == ["http://127.0.0.1:0"])
        let kinds = try #require(json["kinds"] as? [[String: Any]])
        #expect(kinds.count == 10)
        for kind in kinds {
            #expect(
                Set(kind.keys) == ["kind", "state", "account", "kid", "file", "role", "lifetime", "settings"])
        }
        let consumer = kinds[0]
        #expect(consumer["kind"] as? String == "consumer")
        #expect(consumer["account"] as? String == files.key.account)
        #expect(consumer["kid"] as? String == files.key.keyID)
        #expect(consumer["file"] as? String == files.key.path)
        #expect(consumer["role"] as? String == "roles/fleetengine.consumerSdkUser")
        #expect(consumer["lifetime"] as? Int == 3600)
        #expect(consumer["settings"] is NSNull)
        #expect(kinds[9]["role"] is NSNull)
    }

    @Test func `check ignores a port in use and creates no socket file`() throws {
        let daemon = try DaemonProcess(scratch: files.scratch, key: files.key)
        let socket = files.scratch.path("tokens.sock")
        let outcome = try check(
            ["--credentials", files.key.path, "--listen", "127.0.0.1:\(daemon.port)", "--listen", "unix:\(socket)"])
        #expect(outcome.status == 0)
        #expect(!FileManager.default.fileExists(atPath: socket))
        #expect(try Curl("\(daemon.url)/healthz").body == "ok\n")
    }

    @Test func `colour is used on terminals unless NO_COLOR is set`() throws {
        let arguments = ["check", "--credentials", files.key.path]
        let coloured = try files.runOnTerminal(arguments, environment: [:])
        #expect(coloured.status == 0)
        #expect(coloured.output.contains("\u{1B}[32mon\u{1B}[0m      consumer"))
        #expect(coloured.output.contains("\u{1B}[32mserve would start.\u{1B}[0m"))
        #expect(try !files.runOnTerminal(arguments, environment: ["NO_COLOR": "1"]).output.contains("\u{1B}"))
        #expect(try !files.run(arguments).output.contains("\u{1B}"))
    }

    @Test func `words of a credentials file cannot control the terminal`() throws {
        let token = try files.scratch.write("a\u{9B}2J\u{202E}\u{2028}b", "token")
        let credentials = try files.scratch.write(
            "external.json",
            """
            {"type": "external_account", "subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
            "audience": "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q",
            "token_url": "https://sts.googleapis.com/v1/token", "credential_source": {"file": "\(token)"},
            "service_account_impersonation_url":
            "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/\(files.key.account):generateAccessToken"}
            """)
        let shown = #"/a\u009b2J\u202e\u2028b"#
        let plain = try check(["--credentials", credentials])
        #expect(plain.output.contains(shown), "\(plain.output)")
        let coloured = try files.runOnTerminal(["check", "--credentials", credentials], environment: [:])
        #expect(coloured.output.contains(shown), "\(coloured.output)")
        #expect(coloured.output.contains("\u{1B}[32mon\u{1B}[0m      consumer"))
    }

    @Test(arguments: [
        #""$0" check --credentials <(cat "$1")"#, #"cat "$1" | "$0" check --credentials /dev/stdin"#,
    ])
    func `a key may come through a pipe`(script: String) throws {
        let outcome = try Program.run("bash", ["-c", script, Program.daemon, files.key.path])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("on      consumer for 1h by \(files.key.account)"))
    }

    // MARK: Invalid

    @Test func `errors in settings and key files are reported together with status 78`() throws {
        let small = ["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024"]
        _ = try ServiceAccountFile(in: files.scratch, name: "small", key: small)
        let config = try files.configuration(
            """
            lisen: 127.0.0.1:0
            token: {lifetime: 2h}
            callers: none
            kinds:
              consumer: {credentials: small.json}
              driver: {credentials: nowhere.json}
            """)
        let expected = [
            "\(config):1:1: lisen: unknown key; did you mean \"listen\"?",
            "\(config):2:9: token.lifetime: \"2h\" is over 1h; expected a duration from 1s to 1h",
            "--log-level: \"loud\" is unknown; expected one of trace, debug, info, notice, warning, error, critical",
            "\(files.scratch.path("small.json")): private_key is an RSA key of 1024 bits; expected at least 2048",
            "\(files.scratch.path("nowhere.json")): cannot be opened: No such file or directory",
        ]
        let outcome = try check(["--config", config, "--log-level", "loud"])
        #expect(outcome.status == 78)
        #expect(outcome.output == "serve would not start, for 5 reasons.\n")
        #expect(outcome.sentences == expected)
        let program = try check(["--config", config, "--log-level", "loud", "--json"])
        #expect(program.status == 78)
        #expect(program.errors == "")
        let json = try program.json()
        #expect(json["starts"] as? Bool == false)
        #expect(json["errors"] as? [String] == expected)
        #expect(json["listen"] is NSNull)
        #expect(json["kinds"] is NSNull)
    }

    @Test(arguments: [
        ("callers: none\n\tlisten: x\n", "2:1: this is not valid YAML: a tab is not allowed here; expected spaces"),
        ("callers: [", "2:1: this is not valid YAML: "), (nil, "cannot read the configuration file"),
    ])
    func `nothing is said beside a file that cannot be read`(text: String?, reason: String) throws {
        let config = files.scratch.path("broken.yaml")
        if let text { try files.scratch.write("broken.yaml", text) }
        let outcome = try check(["--config", config])
        #expect(outcome.status == 78)
        #expect(outcome.output == "serve would not start, for one reason.\n")
        #expect(outcome.sentences.count == 1 && outcome.errors.contains(reason), "\(outcome.errors)")
    }

    @Test func `check reports six errors of rules and files in one run`() throws {
        let config = try files.configuration(
            """
            credentials: key.json
            issuers:
              - {issuer: https://id.example.com, audiences: a, algorithms: RS256, keys: jwks.json}
            rules:
              - {name: a, kinds: consumer, issuers: https://id.example.com/, ids: {tripID: any}}
              - {name: a, kinds: driver, ids: {vehicleID: any}}
              - {name: b, kinds: consumer, ids: {tripID: any, vehicleID: any}}
              - {name: c, kinds: driver, certificates: "dns:a.example", ids: {vehicleID: any}}
              - {name: d, kinds: driver, api_keys: dispatch, ids: {vehicleID: any}}
            """)
        let outcome = try check(["--config", config])
        #expect(outcome.status == 78)
        #expect(outcome.output == "serve would not start, for 6 reasons.\n")
        let beginnings = [
            "\(config):5:32: rules[0].issuers: ", "\(config):6:6: rules[1].name: ", "\(config):7:32: rules[2].ids: ",
            "\(config):8:30: rules[3].certificates: ", "\(config):9:30: rules[4].api_keys: ",
            "\(files.scratch.path("jwks.json")): cannot be opened: ",
        ]
        #expect(outcome.sentences.count == 6)
        #expect(zip(outcome.sentences, beginnings).allSatisfy { $0.hasPrefix($1) }, "\(outcome.sentences)")
    }

    @Test func `a broken original is named, not its whole copy`() throws {
        let copies = files.scratch.path("copies")
        let names = ["api-keys", "ca.crl", "ca.pem", "driver.json", "jwks.json", "key.json", "tls.key", "tls.pem"]
        for folder in ["originals", "copies"] {
            try FileManager.default.createDirectory(
                atPath: files.scratch.path(folder), withIntermediateDirectories: false)
        }
        for name in names {
            try files.scratch.write("originals/\(name)", "broken\n")
            try files.scratch.write("copies/\(name)", name == "key.json" ? try files.scratch.text("key.json") : "")
        }
        let config = try files.configuration(
            """
            credentials: application_default
            kinds: {driver: {credentials: COPIES/driver.json}}
            api_keys: {file: COPIES/api-keys}
            issuers: [{issuer: "https://id.example.com", audiences: a, algorithms: RS256, keys: COPIES/jwks.json}]
            tls: {certificates: [{certificate: COPIES/tls.pem, key: COPIES/tls.key}], client_ca_file: COPIES/ca.pem, client_crl_file: COPIES/ca.crl, client_certificates: optional, client_names: [subject]}
            outgoing: {ca_file: COPIES/ca.pem}
            rules: [{name: a, kinds: consumer, api_keys: dispatch, ids: {tripID: any}}]
            """.replacing("COPIES", with: copies))
        let outcome = try check(
            ["--config", config],
            environment: [
                "CREDENTIALS_DIRECTORY": copies, "TOKEN_PROVIDER_CREDENTIAL_SOURCES": files.scratch.path("originals"),
                "GOOGLE_APPLICATION_CREDENTIALS": "\(copies)/key.json",
            ])
        #expect(outcome.status == 78)
        #expect(!outcome.errors.contains(copies) && !outcome.output.contains(copies), "\(outcome)")
        for name in names where name != "tls.key" && name != "ca.crl" {
            #expect(outcome.errors.contains(files.scratch.path("originals/\(name)")), "\(name): \(outcome.errors)")
        }
    }

    @Test(arguments: ["", "one", "cut", "dash"])
    func `authorities that cannot all be read are refused`(content: String) throws {
        let authority = try String(decoding: TestAuthority().bytes("ca.pem"), as: UTF8.self)
        let certificate = content.isEmpty ? "hello\n" : authority
        // The first of two is whole, so that its reader would find no fault.
        let second = ["cut": String(certificate.prefix(300)), "dash": String(certificate.dropFirst())][content]
        try files.scratch.write("ca.pem", certificate + (second ?? ""))
        let config = try files.configuration(
            "callers: none\ncredentials: key.json\noutgoing: {ca_file: ca.pem}\n")
        let outcome = try check(["--config", config])
        guard content != "one" else { return #expect(outcome.status == 0, "\(outcome.errors)") }
        #expect(outcome.status == 78)
        let fault = "has no certificate, or one that cannot be read; expected those of authorities in PEM"
        #expect(
            outcome.errors.contains("outgoing.ca_file: \(files.scratch.path("ca.pem")) \(fault)"), "\(outcome.errors)")
    }

    @Test func `serve and check refuse authorities that others can write`() throws {
        let path = try files.scratch.write(
            "ca.pem", String(decoding: TestAuthority().bytes("ca.pem"), as: UTF8.self), permissions: 0o666)
        let config = try files.configuration("callers: none\ncredentials: key.json\noutgoing: {ca_file: ca.pem}\n")
        let reason = "outgoing.ca_file: \(path) others can write this file"
        for command in ["serve", "check"] {
            let outcome = try Program.run(Program.daemon, [command, "--config", config])
            #expect(outcome.status == 78)
            #expect(outcome.errors.contains(reason), "\(outcome.errors)")
        }
    }

    @Test(arguments: ["u.sock", "./u.sock", "FOLDER/u.sock", "link/u.sock", "audit"])
    func `a unix socket shares no path with others or the audit log`(path: String) throws {
        symlink(".", files.scratch.path("link"))
        let socket = path.replacing("FOLDER", with: files.scratch.folder.path)
        let config = try files.configuration(
            """
            {listen: ["unix:u.sock", "unix:\(socket)"], callers: none, credentials: key.json,
            audit: {output: file, file: ./audit}}
            """)
        let outcome = try Program.run(
            "env", ["-C", files.scratch.folder.path, Program.daemon, "check", "--config", config])
        #expect(outcome.status == 78)
        let reason = path == "audit" ? "is also a file of the audit log" : "is repeated; expected each address once"
        #expect(outcome.errors.contains(reason), "\(outcome.errors)")
    }

    @Test func `when only keys are broken, working and broken kinds are listed`() throws {
        let config = try files.configuration(
            "callers: none\ncredentials: key.json\nkinds: {driver: {credentials: nowhere.json}, server: {credentials: nowhere.json}}\n"
        )
        let nowhere = files.scratch.path("nowhere.json")
        let outcome = try check(["--config", config])
        #expect(outcome.status == 78)
        #expect(outcome.output.contains("\non      consumer for 1h by \(files.key.account)\n"))
        #expect(outcome.output.contains("\nbroken  driver\n        -> \(nowhere) cannot be used\n"))
        #expect(outcome.output.contains("\nbroken  server\n        -> \(nowhere) cannot be used\n"))
        #expect(outcome.output.hasSuffix("\n\nserve would not start, for one reason.\n"))
        #expect(outcome.sentences == ["\(nowhere): cannot be opened: No such file or directory"])
        let kinds = try #require(try check(["--config", config, "--json"]).json()["kinds"] as? [[String: Any]])
        #expect(kinds[1]["state"] as? String == "broken")
        #expect(kinds[1]["file"] as? String == nowhere)
    }

    @Test(arguments: [
        ["--listen", "nonsense"], ["--callers", "some"], ["--kinds", "admin"], ["--lisen", "127.0.0.1:0"],
        ["--credentials", "/nowhere/key.json"], ["--config", "/nowhere/config.yaml"],
    ])
    func `check refuses what serve refuses, with equal message and status`(flags: [String]) throws {
        let arguments = flags.contains("--credentials") ? flags : ["--credentials", files.key.path] + flags
        let served = try files.run(["serve"] + arguments)
        let checked = try check(arguments)
        #expect(served.status == 64 || served.status == 78)
        #expect(checked.status == served.status)
        #expect(checked.sentences.first == served.sentences.first)
    }

    @Test func `without credentials, the machine's account is expected, with a warning`() throws {
        let outcome = try check(["--callers", "none"])
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("warning no file of credentials was found; "))
        #expect(outcome.output.contains("asked with the metadata server"))
    }
}
