import TestSupport
import Foundation
import Testing

/// `token-provider health` and the real daemon.
@Suite(.blocking) struct HealthTests {
    let scratch: Scratch
    let key: ServiceAccountFile

    init() throws {
        scratch = try Scratch()
        key = try ServiceAccountFile(in: scratch)
    }

    @Test func `health succeeds by URL or by configuration when the daemon is healthy`() throws {
        let daemon = try DaemonProcess(scratch: scratch, key: key, environment: DaemonProcess.withAdmin)
        let url = try daemon.adminURL()
        for arguments in [["--url", url], ["--url", "\(url)/"]] {
            let health = try Program.run(Program.daemon, ["health"] + arguments)
            #expect(health.status == 0)
            #expect(health.output == "{\"alive\":true}\n")
            #expect(health.errors == "")
        }
        let ready = try Program.run(Program.daemon, ["health", "--ready", "--url", url])
        #expect(ready.output == "{\"ready\":true,\"checks\":{\"signing\":\"ok\",\"serving\":\"ok\"}}\n")
        let address = String(url.dropFirst("http://".count))
        let variable = ["TOKEN_PROVIDER_ADMIN_LISTEN": address]
        #expect(try Program.run(Program.daemon, ["health"], environment: variable).status == 0)
        let file = try scratch.write("t.yaml", "admin: {listen: \"\(address)\"}\ncredentials: nowhere.json\n")
        let configured = try Program.run(
            "/usr/bin/env", ["-u", "TOKEN_PROVIDER_ADMIN_LISTEN", Program.daemon, "health"],
            environment: ["TOKEN_PROVIDER_CONFIG": file])
        #expect(configured.status == 0)
        #expect(configured.errors == "")
    }

    @Test func `health works over a unix socket`() throws {
        let path = scratch.path("admin.sock")
        let daemon = try DaemonProcess(
            scratch: scratch, key: key, environment: ["TOKEN_PROVIDER_ADMIN_LISTEN": "unix:\(path)"])
        #expect(try Program.run(Program.daemon, ["health", "--url", daemon.adminURL()]).status == 0)
    }

    @Test func `health and reload try each admin address, of IPv6 too`() throws {
        let daemon = try DaemonProcess(
            scratch: scratch, key: key, environment: ["TOKEN_PROVIDER_ADMIN_LISTEN": "[::1]:0"])
        let port = try #require(daemon.adminURL().split(separator: ":").last)
        let variable = ["TOKEN_PROVIDER_ADMIN_LISTEN": "127.0.0.1:\(port),[::1]:\(port)"]
        for command in ["health", "reload"] {
            let outcome = try Program.run(Program.daemon, [command], environment: variable)
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
    }

    @Test func `a draining daemon is alive but not ready`() throws {
        let settings = ["TOKEN_PROVIDER_HTTP_DRAIN_TIMEOUT": "10m", "TOKEN_PROVIDER_HTTP_LOOPS": "2"]
        let environment = DaemonProcess.withAdmin.merging(settings) { $1 }
        let daemon = try DaemonProcess(scratch: scratch, key: key, environment: environment)
        let held = try PythonClients.start("hold_connection.py", ["127.0.0.1", daemon.port])
        defer { held.terminate() }
        daemon.process.send(SIGTERM)
        try daemon.waitForLog("draining")
        let url = try daemon.adminURL()
        #expect(try Program.run(Program.daemon, ["health", "--url", url]).status == 0)
        let ready = try Program.run(Program.daemon, ["health", "--ready", "--url", url])
        #expect(ready.status == 1)
        #expect(ready.output.contains("\"serving\":\"draining\""))
        // An event loop without connections ends when it closes its listener. The other is alive, and takes a reload.
        try Patience.wait(for: "closed listeners") { try !isListening(at: daemon.port) }
        #expect(try Program.run(Program.daemon, ["health", "--url", url]).status == 0)
        let reloaded = try Program.run(Program.daemon, ["reload", "--url", url, "--timeout", "20"])
        #expect(reloaded.status == 0, "\(reloaded.errors)")
        #expect(try Curl("\(url)/metrics").status == 200)
    }

    /// Whether the daemon still listens on a port of 127.0.0.1, by the kernel's table of sockets (0A: LISTEN).
    private func isListening(at port: String) throws -> Bool {
        let address = String(format: "0100007F:%04X", try #require(Int(port)))
        return try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8).contains("\(address) 00000000:0000 0A ")
    }

    @Test func `a daemon that hangs or is gone is unhealthy`() throws {
        let daemon = try DaemonProcess(scratch: scratch, key: key, environment: DaemonProcess.withAdmin)
        let url = try daemon.adminURL()
        let address = url.dropFirst("http://".count)
        daemon.process.send(SIGSTOP)
        let stopped = try Program.run(Program.daemon, ["health", "--url", url, "--timeout", "1"])
        #expect(stopped.status == 1)
        #expect(stopped.errors == "token-provider: admin listener \(address): Connection timed out\n")
        daemon.process.end()
        let gone = try Program.run(Program.daemon, ["health", "--url", url])
        #expect(gone.status == 1)
        #expect(gone.errors == "token-provider: admin listener \(address): Connection refused\n")
    }

    @Test func `an answer that never ends is given up`() throws {
        let server = try PythonClients.start("hostile_admin.py", [])
        let url = "http://127.0.0.1:\(try #require(server.firstLine))"
        for command in ["health", "reload"] {
            let outcome = try Program.run(
                "timeout", ["600", Program.daemon, command, "--url", url, "--timeout", "1"])
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("Connection timed out"), "\(outcome.errors)")
        }
    }

    @Test(arguments: [
        ("health", "\u{1B}]0;x\u{7}\u{1B}[31m\u{9B}2J\u{202E}", #"\u001b]0;x\u0007\u001b[31m\u009b2J\u202e"#),
        ("reload", "\u{1B}[2J", #"(status 500): \u001b[2J; expected"#),
        ("reload", #"{"reload_errors":["\u001b[2J\nroot# "]}"#, #"not reloaded: \u001b[2J\nroot# ; the"#),
    ])
    func `what answers in place of the daemon cannot control the terminal`(
        command: String, body: String, shown: String
    ) throws {
        let digits = body.utf8.map { String(format: "%02x", $0) }.joined()
        let server = try PythonClients.start("hostile_admin.py", [digits])
        let url = "http://127.0.0.1:\(try #require(server.firstLine))"
        let outcome = try Program.runOnTerminal(Program.daemon, [command, "--url", url], environment: [:])
        #expect(outcome.status == 1)
        #expect(outcome.output.contains(shown), "\(outcome.output)")
        #expect(!outcome.output.contains("\u{1B}"))
    }

    @Test(arguments: [
        ("reload", #"{"reloaded":true"#, "19", "no answer from the daemon: "),
        ("reload", #"{"reloaded":true}"#, "-", "no answer from the daemon: "),
        ("reload", #"{"reloaded":true}"#, "16", "no answer from the daemon: "),
        ("reload", #"{"ready":true}"#, "14", #"(status 200): {"ready":true}; expected the admin listener of a daemon"#),
        ("reload", #"{"reloaded":false,"reload_errors":["x"]}"#, "40", "not reloaded: x; the previous"),
        ("health", #"{"alive":true"#, "14", "Protocol error"),
        ("health", "<html>", "6", "does not answer as a daemon; expected its admin listener"),
        ("health", #"{"alive":false}"#, "15", "does not answer as a daemon; expected its admin listener"),
    ])
    func `a truncated or foreign answer of 200 is a failure`(
        command: String, body: String, length: String, part: String
    ) throws {
        let digits = body.utf8.map { String(format: "%02x", $0) }.joined()
        let server = try PythonClients.start("hostile_admin.py", [digits, "200", length])
        let url = "http://127.0.0.1:\(try #require(server.firstLine))"
        let outcome = try Program.run(Program.daemon, [command, "--url", url])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains(part), "\(outcome.errors)")
    }

    @Test(arguments: [
        (["--url", "https://a"], "", 64, "--url: \"https://a\" does not begin with an IPv4 address"),
        (["--url", "localhost"], "", 64, "--url: \"localhost\" has no port; expected http://ADDR:PORT or unix:PATH"),
        (["--timeout", "0"], "", 64, "--timeout: 0 is not within 1 to 60"),
        ([], "", 78, "admin.listen is empty, so the daemon has no admin listener; expected an address, or --url"),
        (
            [], "127.0.0.1:0", 78,
            "admin.listen is \"127.0.0.1:0\", which means any free port; expected --url with the port"
        ),
    ])
    func `health needs an address that it can ask`(
        arguments: [String], listen: String, status: Int32, sentence: String
    ) throws {
        let outcome = try Program.run(
            Program.daemon, ["health"] + arguments, environment: ["TOKEN_PROVIDER_ADMIN_LISTEN": listen])
        #expect(outcome.status == status)
        #expect(outcome.errors.hasPrefix("token-provider: \(sentence)"))
    }
}
