import TestSupport
import Foundation
import Testing

/// Hash chains in the real binary's audit logs: where they begin, how they continue, and which removals are found.
@Suite(.blocking, .tags(.threadSanitizer)) struct AuditChainTests {
    let files: CallerFiles
    let key: String

    init() throws {
        files = try CallerFiles()
        key = try files.apiKey("dispatch")
    }

    private static let rules = """
        rules:
          - {name: dispatch, kinds: [consumer], api_keys: [dispatch], ids: {tripID: any}}
        """

    /// Runs the daemon for some tokens, its audit log appended to a file by the shell; returns the last hash it logs.
    private func run(_ tokens: Int) throws -> String {
        let configuration = try files.configuration("\(Self.rules)\naudit: {output: stdout}")
        let daemon = try DaemonProcess(
            redirecting: "2>&1 >>'\(files.scratch.path("audit"))'", ["serve", "--config", configuration],
            scratch: files.scratch)
        for number in 0..<tokens {
            #expect(try Curl("\(daemon.url)/token?tripID=\(number)", bearer: key).status == 200)
        }
        daemon.process.send(SIGTERM)
        let log = try daemon.restOfOutput()
        #expect(try daemon.process.wait() == 0)
        let line = try #require(log.firstMatch(of: /info the audit log ends last_hash=([0-9a-f]{64}) seq=(\d+)\n/))
        #expect(Int(line.2) == tokens + 1)
        return String(line.1)
    }

    private func verify(_ flags: [String] = []) throws -> Outcome {
        try Program.run(Program.daemon, ["audit", "verify", files.scratch.path("audit")] + flags)
    }

    @Test func `two runs appended to one file verify as two chains`() throws {
        let (first, second) = (try run(3), try run(2))
        let times = try files.auditRecords().compactMap { $0["event"] == nil ? nil : $0["time"] as? String }
        let path = files.scratch.path("audit")
        let outcome = try verify(["--expect-last", first, "--expect-last", second])
        #expect(outcome.status == 0)
        let lines = outcome.output.split(separator: "\n").map(String.init)
        try #require(times.count == 2)
        #expect(
            lines.dropFirst() == [
                "first chain: \(path):1 at \(times[0])",
                "new chain: \(path):5 at \(times[1]), after seq 4, hash \(first)",
                "last: seq 3, hash \(second)", "unbroken",
            ])
        let json = try verify(["--json"]).json()
        #expect(json["chains_begun"] as? Int == 2)
        let beginnings = try #require(json["beginnings"] as? [[String: Any]])
        #expect(beginnings.map { $0["line"] as? Int } == [1, 5])
        #expect(beginnings.map { $0["previous_seq"] as? Int } == [nil, 4])
        #expect(beginnings.map { $0["previous_hash"] as? String } == [nil, first])
    }

    @Test func `reload reports an unusable audit file and keeps writing the previous one`() throws {
        let configuration = try files.configuration("\(Self.rules)\naudit: {output: file, file: audit}")
        let daemon = try DaemonProcess(
            ["serve", "--config", configuration], environment: DaemonProcess.withAdmin, scratch: files.scratch)
        func reload() throws -> Outcome { try Program.run(Program.daemon, ["reload", "--url", daemon.adminURL()]) }
        func ask(_ trip: String) throws -> Int { try Curl("\(daemon.url)/token?tripID=\(trip)", bearer: key).status }
        let (path, previous) = (files.scratch.path("audit"), files.scratch.path("audit.1"))
        try FileManager.default.moveItem(atPath: path, toPath: previous)
        try files.scratch.write("audit", "unrelated notes\n", permissions: 0o600)
        // Other changes apply all the same: an unusable audit file must not keep a revoked permission alive.
        _ = try files.configuration(
            "\(Self.rules.replacing("any", with: "[b]"))\naudit: {output: file, file: audit}")
        #expect(try ask("a") == 200)
        let failed = try reload()
        #expect(failed.status == 1)
        #expect(
            failed.errors
                == "token-provider: part of the reload failed: audit.file: \(path): is not empty; expected no file, or an empty "
                + "one, to continue in; the audit log continues in the previous file; the rest of the new configuration is "
                + "active\n")
        #expect(try Curl("\(daemon.adminURL())/readyz").json()["reload_errors"] != nil)
        #expect(try ask("a") == 403)
        #expect(try ask("b") == 200)
        try FileManager.default.removeItem(atPath: path)
        #expect(try reload().status == 0)
        // The first line is written before any record.
        #expect(try files.auditRecords().map { $0["event"] as? String } == ["opened"])
        #expect(try ask("b") == 200)
        #expect(try daemon.end() == 0)
        #expect(try files.verifyAudit(["audit.1", "audit"]).status == 0)
    }

    @Test func `lines removed from two chains are found, ends by their noted hashes`() throws {
        let (first, second) = (try run(3), try run(2))
        let whole = try files.scratch.text("audit").split(separator: "\n")
        func faulty(removing range: Range<Int>, _ flags: [String] = []) throws -> Bool {
            var lines = whole
            lines.removeSubrange(range)
            try files.scratch.write("audit", lines.joined(separator: "\n") + "\n")
            return try verify(flags).status == 1
        }
        let noted = ["--expect-last", first, "--expect-last", second]
        for range in [0..<1, 0..<2, 1..<2, 1..<3, 4..<5, 4..<6, 5..<6] {
            #expect(try faulty(removing: range), "\(range)")
        }
        // These are found only with the noted hashes.
        for range in [3..<4, 0..<4, 6..<7, 4..<7] {
            #expect(try !faulty(removing: range), "\(range)")
            #expect(try faulty(removing: range, noted), "\(range)")
        }
    }

    @Test func `a file's chain continues over restarts, and each end is logged`() throws {
        let configuration = try files.configuration("\(Self.rules)\naudit: {output: file, file: audit}")
        var hashes: [String] = []
        for round in 0..<2 {
            let daemon = try DaemonProcess(["serve", "--config", configuration], scratch: files.scratch)
            #expect(try Curl("\(daemon.url)/token?tripID=\(round)", bearer: key).status == 200)
            if round == 1 {
                try FileManager.default.moveItem(
                    atPath: files.scratch.path("audit"), toPath: files.scratch.path("audit.1"))
                daemon.process.send(SIGHUP)
                try daemon.waitForLog("info the audit log continues in a new file last_hash=")
            }
            #expect(try daemon.end() == 0)
            hashes += try daemon.log().matches(of: /last_hash=([0-9a-f]{64}) seq=\d+\n/).map { String($0.1) }
        }
        // Each run writes a log file of its own.
        #expect(hashes.count == 3)
        let paths = ["audit.1", "audit"].map(files.scratch.path)
        func verify(_ hashes: some Sequence<String>, _ paths: [String]) throws -> Outcome {
            let expected = hashes.flatMap { ["--expect-last", $0] }
            return try Program.run(Program.daemon, ["audit", "verify"] + expected + paths)
        }
        // At the stop, at the rotation and at the stop in the new file.
        let outcome = try verify(hashes, paths)
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(!outcome.output.contains("chain:"))
        #expect(try verify(hashes.suffix(1), paths).status == 0)
        #expect(try verify(hashes.prefix(2), [paths[0]]).status == 0)
        let older = try verify(hashes, [paths[0]])
        #expect(older.status == 1)
        #expect(older.output.contains("ends with the expected hash \(hashes[2]);"), "\(older.output)")
    }
}
