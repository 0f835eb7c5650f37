import TestSupport
import Foundation
import Testing

/// A flood of refused requests: the audit log and the log grow by a few lines, every refusal is accounted for, and
/// other callers get their tokens.
@Suite(.blocking) struct AuditFloodTests {
    private static let requests = 6000
    private static let burst = 200

    let files: CallerFiles
    let key: String

    init() throws {
        files = try CallerFiles()
        key = try files.apiKey("dispatch")
    }

    @Test func `a flood does not fill the disk, and other callers get tokens`() throws {
        let folder = files.scratch.path("mounted")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let mount = ["unshare", "-rm", "sh", "-c", "mount -t tmpfs -o size=256k tmpfs \"$0\" && exec \"$@\"", folder]
        let daemon = try DaemonProcess(
            under: mount, ["serve", "--config", configuration("\(folder)/audit")], scratch: files.scratch)
        try flood(daemon)
        // SIGHUP writes the sums without a further request.
        daemon.process.send(SIGHUP)
        let auditFile = "/proc/\(daemon.process.identifier)/root\(folder)/audit"
        try Patience.wait(for: "the sums") {
            try counted("limited", records(auditFile)) == Self.requests - Self.burst
        }
        try expectAll(of: records(auditFile))
        let refusalsAlone = try records(auditFile).count { $0["code"] != nil && $0["count"] == nil }
        let outcome = try Program.run(Program.daemon, ["audit", "verify", "--json", auditFile])
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(try outcome.json()["counted_refusals"] as? Int == Self.requests - refusalsAlone)
        #expect(try outcome.json()["lost_records"] as? Int == 0)
        #expect(try daemon.end() == 0)
    }

    @Test func `stopping writes counted refusals to the audit log and the log`() throws {
        let daemon = try DaemonProcess(["serve", "--config", configuration("audit")], scratch: files.scratch)
        try flood(daemon)
        #expect(try daemon.end() == 0)
        try expectAll(of: files.auditRecords())
        #expect(try files.verifyAudit().status == 0)
        let refused = try daemon.log().split(separator: "\n").filter { $0.contains("info refused") }
        #expect((34..<50).contains(refused.count))
        #expect(refused.contains { $0.contains("code=too_many_requests count=") })
    }

    @Test func `counted refusals are written within seconds, without a further request`() throws {
        let daemon = try DaemonProcess(["serve", "--config", configuration("audit")], scratch: files.scratch)
        for _ in 1...40 { #expect(try Curl("\(daemon.url)/token?tripID=a").status == 401) }
        try Patience.wait(for: "the sum") { try counted("unauthenticated", files.auditRecords()) == 40 }
        let sum = try #require(try files.auditRecords().last)
        #expect(sum["count"] as? Int == 8)
        #expect(sum["peer"] as? String == "127.0.0.1")
        #expect(sum["request_id"] == nil && sum["ids"] == nil)
        #expect(try daemon.end() == 0)
    }

    // MARK: -

    private func configuration(_ place: String) throws -> String {
        try files.configuration(
            """
            rules:
              - {name: dispatch, kinds: [consumer], api_keys: [dispatch], ids: {tripID: any}}
            limits: {principal_rate: 0, address_rate: 0.001, address_burst: \(Self.burst)}
            proxies: {trusted: [127.0.0.1]}
            log: {access: false}
            audit: {output: file, file: \(place)}
            """)
    }

    private func flood(_ daemon: DaemonProcess) throws {
        let facts = try PythonClients.run("audit_flood.py", ["127.0.0.1", daemon.port, key, "\(Self.requests)"])
        #expect(facts["flood"] as? [String: Int] == ["401": Self.burst, "429": Self.requests - Self.burst])
        #expect(try #require(facts["served"] as? [String: Int]).keys.sorted() == ["200"])
    }

    /// The number of refusals with an outcome that the records account for.
    private func counted(_ outcome: String, _ records: [[String: Any]]) -> Int {
        records.filter { $0["outcome"] as? String == outcome }.reduce(0) { $0 + ($1["count"] as? Int ?? 1) }
    }

    private func records(_ path: String) throws -> [[String: Any]] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
    }

    /// Expects the whole flood in a few records.
    private func expectAll(of records: [[String: Any]]) throws {
        #expect(counted("limited", records) == Self.requests - Self.burst)
        #expect(counted("unauthenticated", records) == Self.burst)
        let refusals = records.filter { ["limited", "unauthenticated"].contains($0["outcome"] as? String) }
        #expect(refusals.count < 50)
        let sums = refusals.filter { $0["count"] != nil }
        #expect(sums.allSatisfy { $0["peer"] as? String == "203.0.113.7" })
    }
}
