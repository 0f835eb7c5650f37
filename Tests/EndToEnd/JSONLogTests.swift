import TestSupport
import Foundation
import Testing

/// With `log.format: json` each line of a daemon is JSON, including the first and the last.
@Suite(.blocking) struct JSONLogTests {
    let files: CallerFiles

    init() throws { files = try CallerFiles() }

    private func objects(_ text: String) throws -> [[String: Any]] {
        #expect(text.hasSuffix("\n"))
        return try text.split(separator: "\n").map {
            let line = try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
            return try #require(line, "\($0)")
        }
    }

    private func messages(_ text: String) throws -> [String] {
        try objects(text).map { line in
            #expect(line["time"] is String && line["level"] is String)
            return try #require(line["message"] as? String)
        }
    }

    @Test func `with log.format json every line from start to end is JSON`() throws {
        let socket = files.scratch.path("s")
        let daemon = try DaemonProcess(
            scratch: files.scratch, key: files.key, flags: ["--log-format", "json", "--listen", "unix:\(socket)"],
            environment: DaemonProcess.withAdmin)
        #expect(try Curl("\(daemon.url)/token?tripID=a").status == 200)
        #expect(
            try messages(daemon.said) == [
                "admin on \(daemon.adminURL())", "listening on \(daemon.url)", "listening on unix:\(socket)",
            ])
        #expect(try daemon.end() == 0)
        #expect(try daemon.restOfOutput() == "")
        #expect(try messages(daemon.log()).suffix(2) == ["draining", "stopped"])
    }

    @Test func `with the audit log on standard output, JSON lines use standard error`() throws {
        let configuration = try files.configuration(
            "rules:\n  - {name: everyone, kinds: [consumer], ids: {tripID: any}}\naudit: {output: stdout}\nlog: {format: json}"
        )
        let daemon = try DaemonProcess(
            redirecting: "2>&1 >>'\(files.scratch.path("audit"))'", ["serve", "--config", configuration],
            scratch: files.scratch)
        #expect(try messages(daemon.said).contains("listening on \(daemon.url)"))
        daemon.process.send(SIGTERM)
        #expect(try messages(daemon.restOfOutput()).last == "stopped")
        #expect(try daemon.process.wait() == 0)
    }

    @Test func `a startup error after reading the configuration is a JSON line`()
        throws
    {
        let daemon = try DaemonProcess(scratch: files.scratch, key: files.key)
        let command = ["serve", "--log-format", "json", "--callers", "none", "--listen", "127.0.0.1:\(daemon.port)"]
        let taken = try Program.run(Program.daemon, command + ["--credentials", files.key.path])
        #expect(taken.status == 1)
        #expect(try messages(taken.errors) == [Program.inUse("127.0.0.1:\(daemon.port)")])
        #expect(try objects(taken.errors).first?["level"] as? String == "error")
        let broken = try files.scratch.write("broken.json", "{}")
        let refused = try Program.run(Program.daemon, command + ["--credentials", broken])
        #expect(refused.status == 78)
        #expect(try messages(refused.errors).allSatisfy { $0.hasPrefix(broken) })
        var status = stat()
        #expect(stat(try files.scratch.write("errors", ""), &status) == 0)
        let process = try Child(
            [Program.daemon] + command + ["--credentials", "/nowhere"],
            environment: ["JOURNAL_STREAM": "\(status.st_dev):\(status.st_ino)", "TOKEN_PROVIDER_ADMIN_LISTEN": ""],
            errors: .file(files.scratch.path("errors")))
        #expect(try process.wait() == 78)
        let line = try files.scratch.text("errors")
        #expect(line.hasPrefix("<3>{"))
        #expect(try messages(String(line.dropFirst(3))) == ["/nowhere: cannot be opened: No such file or directory"])
    }

    @Test func `a startup error before the format is known is plain text`() throws {
        let file = try files.scratch.write("t.yaml", "log: {format: json}\nnonsense: 1\n")
        let outcome = try Program.run(Program.daemon, ["serve", "--config", file])
        #expect(outcome.status == 78)
        #expect(outcome.errors.hasPrefix("token-provider: "))
    }
}
