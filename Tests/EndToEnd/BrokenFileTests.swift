import ChildProcess
import Foundation
import Testing

/// A daemon whose configuration file was broken while it runs: it serves on, and says itself what is wrong.
@Suite struct BrokenFileTests {
    let scratch: Scratch
    let key: ServiceAccountFile

    init() throws {
        scratch = try Scratch()
        key = try ServiceAccountFile(in: scratch)
    }

    /// The path of the configuration, whose last lines are these.
    private func write(_ lines: String, admin: String? = nil) throws -> String {
        let admin = admin ?? "unix:\(scratch.path("admin.sock"))"
        return try scratch.write(
            "token-provider.yaml",
            "listen: 127.0.0.1:0\ncallers: none\ncredentials: key.json\nadmin: {listen: \"\(admin)\"}\n\(lines)")
    }

    /// What puts the address into the environment, or takes out the one that the tests have there.
    private func surroundings(_ saysAddress: Bool) -> [String] {
        let name = "TOKEN_PROVIDER_ADMIN_LISTEN"
        return saysAddress ? ["\(name)=unix:\(scratch.path("admin.sock"))"] : ["-u", name]
    }

    private func run(_ arguments: [String], saysAddress: Bool) throws -> Outcome {
        try Program.run("/usr/bin/env", surroundings(saysAddress) + [Program.daemon] + arguments)
    }

    @Test(arguments: [
        ("lisen: 127.0.0.1:1\n", false, "lisen: unknown key"),
        ("rules: [{name: a, kinds: nonsense}]\n", false, "rules[0].kinds"),
        ("kinds: [\n", true, "token-provider.yaml:"),
    ])
    func `a reload is refused by the daemon, which tells why and is well`(
        lines: String, saysAddress: Bool, reason: String
    ) throws {
        let file = try write("")
        let daemon = try DaemonProcess(under: surroundings(saysAddress), ["serve", "--config", file], scratch: scratch)
        _ = try write(lines)
        let reloaded = try run(["reload", "--config", file], saysAddress: saysAddress)
        #expect(reloaded.status == 1)
        #expect(reloaded.errors.hasPrefix("token-provider: not reloaded, the former configuration stays: "))
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

    @Test func `an address that is wrong itself is told, unless the environment says another`() throws {
        let file = try write("")
        let daemon = try DaemonProcess(under: surroundings(true), ["serve", "--config", file], scratch: scratch)
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

    @Test func `a plain listener of the list that serves admin is asked where admin.listen is empty`() throws {
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
        let daemon = try DaemonProcess(under: surroundings(false), ["serve", "--config", file], scratch: scratch)
        #expect(try run(["health", "--config", file], saysAddress: false).status == 0)
        #expect(daemon.process.isRunning)
    }

    @Test func `of a file that cannot be read it is told which address is asked instead`() throws {
        let outcome = try run(["health", "--config", scratch.path("nowhere.yaml")], saysAddress: false)
        // Whoever else listens there may answer.
        #expect(outcome.status != 78)
        #expect(outcome.errors.contains("warning: cannot read the configuration file"))
        #expect(outcome.errors.contains("asked is 127.0.0.1:8090"))
    }
}
