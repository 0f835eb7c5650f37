import TestSupport
import Foundation
import Testing

/// Checkpoints anchor the end of the real binary's audit log outside its file.
@Suite(.blocking, .tags(.threadSanitizer)) struct CheckpointTests {
    let files: OperatorFiles

    init() throws { files = try OperatorFiles() }

    private func daemon(_ more: String = "") throws -> DaemonProcess {
        let path = try files.configuration(
            """
            listen: 127.0.0.1:0
            credentials: \(files.key.path)
            callers: none
            log: {level: error}
            audit: {output: file, file: audit\(more)}
            """)
        return try DaemonProcess(["serve", "--config", path], scratch: files.scratch)
    }

    private func ask(_ daemon: DaemonProcess, times: Int) throws {
        _ = try PythonClients.run("many_requests.py", ["127.0.0.1", daemon.port, "\(times)"])
    }

    private func verify(_ flags: [String] = []) throws -> Outcome {
        try Program.run(Program.daemon, ["audit", "verify", files.scratch.path("audit")] + flags)
    }

    @Test func `records removed after kill -9 are found by the log's checkpoints`() throws {
        let first = try daemon()
        try ask(first, times: 1100)
        try first.waitForLog("notice audit checkpoint hash=", times: 2)
        try first.end(by: SIGKILL)
        let log = files.scratch.path("first.log")
        try FileManager.default.moveItem(atPath: files.scratch.path("daemon.log"), toPath: log)
        let whole = try verify(["--checkpoints", log])
        #expect(whole.status == 0, "\(whole.output)")
        #expect(whole.output.contains(#/\ncheckpoints: [2-9] found\n/#))
        // On a slow machine time brings one before a thousand records do.
        let last = try #require(try files.scratch.text("first.log").matches(of: /audit checkpoint .*seq=(\d+)/).last?.1)
        let kept = try #require(Int(last)) - 1
        let lines = try files.scratch.text("audit").split(separator: "\n")
        try files.scratch.write("audit", lines.prefix(kept).joined(separator: "\n") + "\n")
        let second = try daemon()
        try ask(second, times: 300)
        try second.end()
        #expect(try verify().status == 0)
        let outcome = try verify(["--checkpoints", log])
        #expect(outcome.status == 1)
        #expect(outcome.output.contains(" of a checkpoint; lines were removed from the end or changed"))
    }

    @Test func `a burst has a checkpoint for each thousand lines`() throws {
        let daemon = try daemon(", checkpoints: ends}\nhttp: {max_connections_per_address: 2000")
        // Records that come at once are written together. On a slow machine some get no answer of 200.
        for round in 1...3 {
            try PythonClients.run(
                "parallel_requests.py", ["127.0.0.1", daemon.port, "1500", "/token?tripID=burst-\(round)-{}"])
        }
        try daemon.end()
        let lines = try files.scratch.text("audit").split(separator: "\n").count
        let noted = [0] + (try checkpoints())
        #expect(lines > 1001 && noted.last == lines)
        for (one, next) in zip(noted, noted.dropFirst()) { #expect((1...1000).contains(next - one), "\(noted)") }
    }

    @Test func `a line without others has a checkpoint`() throws {
        let daemon = try daemon(", checkpoints: ends")
        try ask(daemon, times: 100)
        try Patience.wait(for: "the checkpoint") { try checkpoints().last == 101 }
    }

    /// The numbers in the file of `audit.checkpoints`.
    private func checkpoints() throws -> [Int] {
        try files.scratch.text("ends").matches(of: /"seq":(\d+)/).compactMap { Int($0.1) }
    }

    @Test func `checkpoints go to a file, with the last one at the stop`() throws {
        let daemon = try daemon(", checkpoints: ends")
        try ask(daemon, times: 100)
        try daemon.end()
        #expect(try !daemon.log().contains("audit checkpoint"))
        let last = try #require(try files.scratch.text("audit").firstMatch(of: /"hash":"([0-9a-f]{64})"}\n$/)).1
        #expect(try files.scratch.text("ends").contains(#""hash":"\#(last)","seq":101}"#))
        let outcome = try verify(["--checkpoints", files.scratch.path("ends"), "--json"])
        #expect(outcome.status == 0)
        #expect(try #require(outcome.json()["checkpoints_found"] as? Int) >= 1)
    }

    @Test func `checkpoints are posted to a URL, and logged while that fails`() throws {
        let archive = try BackEnd()
        try archive.answerAll(with: 204)
        let daemon = try daemon(", checkpoints: \"\(archive.url)\"")
        try Patience.wait(for: "the first checkpoint") { try !archive.seen().questions.isEmpty }
        let body = try #require(try archive.seen().questions.first?.text)
        #expect(body.contains(#/^{"time":"[^"]+","hash":"[0-9a-f]{64}","seq":1}\n$/#))
        try archive.answerAll(with: 500)
        try ask(daemon, times: 100)
        try daemon.end()
        let log = try daemon.log()
        #expect(log.contains("checkpoints of the audit log do not reach audit.checkpoints"))
        #expect(log.contains("the answer has the status 500; expected 2xx"))
        #expect(log.contains(#/audit checkpoint hash=[0-9a-f]{64} seq=101\n/#))
    }

    @Test func `a place that cannot hold checkpoints is refused by check and start`() throws {
        try FileManager.default.createSymbolicLink(atPath: files.scratch.path("link"), withDestinationPath: "audit")
        for (place, problem) in [
            ("audit", "is the audit log's own file; expected another one"),
            ("link", "is the audit log's own file; expected another one"),
            ("nowhere/ends", "is in a folder that does not exist"),
            ("/dev/null", "is a device; expected a regular file"),
            ("http://archive.example.com/", "is plain http to another machine"),
        ] {
            let path = try files.configuration(
                """
                credentials: \(files.key.path)
                callers: none
                audit: {output: file, file: audit, checkpoints: "\(place)"}
                """)
            for command in ["check", "serve"] {
                let outcome = try files.run([command, "--config", path])
                #expect(outcome.status != 0)
                #expect(outcome.errors.contains("audit.checkpoints"), "\(outcome.errors)")
                #expect(outcome.errors.contains(problem), "\(outcome.errors)")
            }
        }
    }

    @Test func `a second name of the audit log holds no checkpoints`() throws {
        try files.scratch.write("audit", "")
        try FileManager.default.linkItem(atPath: files.scratch.path("audit"), toPath: files.scratch.path("second"))
        let path = try files.configuration(
            "{credentials: \(files.key.path), callers: none, audit: {output: file, file: audit, checkpoints: second}}")
        let outcome = try files.run(["check", "--config", path])
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains("is the audit log's own file; expected another one"), "\(outcome.errors)")
    }

    @Test func `a file without a checkpoint is refused by audit verify`() throws {
        let daemon = try daemon()
        try daemon.end()
        try files.scratch.write("notes", "nothing\n")
        let outcome = try verify(["--checkpoints", files.scratch.path("notes")])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("notes: has no checkpoint; expected the daemon's log"))
    }
}
