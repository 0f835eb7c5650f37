import TestSupport
import Foundation
import Testing

/// A daemon whose configuration file breaks while it runs: it keeps serving and reports what is wrong.
@Suite(.blocking) struct BrokenFileTests {
    let scratch: Scratch
    let key: ServiceAccountFile

    init() throws {
        scratch = try Scratch()
        key = try ServiceAccountFile(in: scratch)
    }

    /// Writes a configuration that ends with these lines, and returns its path.
    private func write(_ lines: String, admin: String? = nil) throws -> String {
        let admin = admin ?? "unix:\(scratch.path("admin.sock"))"
        return try scratch.write(
            "token-provider.yaml",
            "listen: 127.0.0.1:0\ncallers: none\ncredentials: key.json\nadmin: {listen: \"\(admin)\"}\n\(lines)")
    }

    /// Arguments of `env` that set the admin address, or remove the one that tests set by default.
    private func variables(_ saysAddress: Bool) -> [String] {
        let name = "TOKEN_PROVIDER_ADMIN_LISTEN"
        return saysAddress ? ["\(name)=unix:\(scratch.path("admin.sock"))"] : ["-u", name]
    }

    private func run(_ arguments: [String], saysAddress: Bool) throws -> Outcome {
        try Program.run("/usr/bin/env", variables(saysAddress) + [Program.daemon] + arguments)
    }

    @Test(arguments: [
        ("lisen: 127.0.0.1:1\n", false, "lisen: unknown key"),
        ("rules: [{name: a, kinds: nonsense}]\n", false, "rules[0].kinds"),
        ("kinds: [\n", true, "token-provider.yaml:"),
    ])
    func `a daemon with a broken new configuration refuses reload and stays healthy`(
        lines: String, saysAddress: Bool, reason: String
    ) throws {
        let file = try write("")
        let daemon = try DaemonProcess(under: variables(saysAddress), ["serve", "--config", file], scratch: scratch)
        _ = try write(lines)
        let reloaded = try run(["reload", "--config", file], saysAddress: saysAddress)
        #expect(reloaded.status == 1)
        #expect(reloaded.errors.hasPrefix("token-provider: not reloaded: "))
        #expect(reloaded.errors.hasSuffix("; the previous configuration stays\n"))
        #expect(reloaded.errors.contains(reason))
        try daemon.waitForLog(reason)
        let health = try run(["health", "--config", file], saysAddress: saysAddress)
        #expect(health.status == 0)
        #expect(health.errors == "")
        let ready = try run(["health", "--ready", "--config", file], saysAddress: saysAddress)
        #expect(ready.status == 0)
        #expect(ready.output.contains("\"reload_errors\":["))
        #expect(ready.output.contains(reason))
    }

    @Test func `an invalid admin address is reported unless the environment overrides it`() throws {
        let file = try write("")
        let daemon = try DaemonProcess(under: variables(true), ["serve", "--config", file], scratch: scratch)
        _ = try write("", admin: "nonsense")
        for command in ["reload", "health"] {
            let outcome = try run([command, "--config", file], saysAddress: false)
            #expect(outcome.status == 78)
            #expect(outcome.errors.contains("admin.listen"))
        }
        #expect(try run(["health", "--config", file], saysAddress: true).status == 0)
        #expect(try run(["reload", "--config", file], saysAddress: true).status == 1)
        #expect(daemon.process.isRunning)
    }

    @Test func `when admin.listen is empty, health asks an admin entry of listeners`() throws {
        let socket = scratch.path("listed.sock")
        let file = try scratch.write(
            "token-provider.yaml",
            """
            listen: 127.0.0.1:0
            callers: none
            credentials: key.json
            admin: {listen: []}
            listeners: [{address: "unix:\(socket)", serves: admin}]

            """)
        let daemon = try DaemonProcess(under: variables(false), ["serve", "--config", file], scratch: scratch)
        #expect(try run(["health", "--config", file], saysAddress: false).status == 0)
        #expect(daemon.process.isRunning)
    }

    @Test func `health warns about an unreadable configuration file and names the address asked`() throws {
        let outcome = try run(["health", "--config", scratch.path("nowhere.yaml")], saysAddress: false)
        // Another process may listen at the default address and answer.
        #expect(outcome.status != 78)
        #expect(outcome.errors.contains("warning: cannot read the configuration file"))
        #expect(outcome.errors.contains("using 127.0.0.1:8090"))
    }

    // What editors, shells and deployment tools make of a key file.
    @Test func `a damaged key file is refused with the cause, without key material`() throws {
        let json = try String(contentsOfFile: key.path, encoding: .utf8)
        let whole = "expected a service account's key as Google Cloud makes it"
        let lines = "expected the lines -----BEGIN PRIVATE KEY----- to -----END PRIVATE KEY-----"
        let cases: [(Data, String)] = [
            (Data(), "the file is empty; \(whole)"),
            (
                Data([0xEF, 0xBB, 0xBF]) + Data(json.utf8),
                "the file begins with a UTF-8 byte order mark; expected UTF-8 without it"
            ),
            (try #require(json.data(using: .utf16)), "the file is UTF-16 text; expected UTF-8"),
            (
                Data(json.utf8.dropLast(9)),
                "the file is truncated: its JSON ends early, at byte \(json.utf8.count - 9); \(whole)"
            ),
            (Data(key.pem.utf8), "the file is PEM, not JSON; \(whole)"),
            (Data(json.utf8).base64EncodedData(), "the file is base64: unpack it by base64 -d; \(whole)"),
            (
                Data(#"{"privateKeyData": "\#(Data(json.utf8).base64EncodedString())"}"#.utf8),
                "the file is an answer of IAM: unpack its key file by jq -r .privateKeyData FILE | base64 -d; \(whole)"
            ),
            (
                Data(json.replacing("\\n-----END", with: "\\n-----EN").utf8),
                "private_key is truncated: a -----BEGIN line has no -----END line; \(lines)"
            ),
            (
                Data(json.replacing("\\n", with: "\\\\n").utf8),
                "private_key is not PEM: its line breaks are written as the two characters \\n; expected real line breaks"
            ),
        ]
        for (content, sentence) in cases {
            let path = try scratch.write("damaged.json", "")
            try content.write(to: URL(filePath: path))
            let outcome = try Program.refusal(["serve", "--credentials", path])
            #expect(outcome.status == 78)
            #expect(outcome.sentences == ["\(path): \(sentence)"])
        }
    }
}
