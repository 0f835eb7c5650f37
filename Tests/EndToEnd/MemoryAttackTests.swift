import TestSupport
import Foundation
import Testing

/// Attacks on the memory of a daemon that has little of it: clients that read nothing, whose handshakes stop, or whose
/// windows are closed. Without a budget each of them ends the daemon.
@Suite(.serialized, .blocking) struct MemoryAttackTests {
    private static let limit = 256 << 20

    private func resident(_ daemon: DaemonProcess) throws -> Double {
        try #require(Scrape(daemon.adminURL())["process_resident_memory_bytes"])
    }

    /// No deadline frees what attackers hold, however long a slow machine takes to build an attack up.
    private static let environment = DaemonProcess.withAdmin.merging([
        "TOKEN_PROVIDER_HTTP_HEADER_TIMEOUT": "1h", "TOKEN_PROVIDER_HTTP_IDLE_TIMEOUT": "1h",
    ]) { $1 }

    /// Attacks from so many addresses, or from the one that is served, with so many connections each, for five seconds and
    /// until the daemon has closed some, and sees that of another client's requests so many percent are answered.
    private func besiege(
        _ daemon: DaemonProcess, by attack: String, addresses: Int = 8, connections: Int, answering percent: Int = 99
    ) throws {
        let siege = try PythonClients.run(
            "memory_siege.py",
            [
                "--until-relief", daemon.adminURL(), daemon.port, daemon.securePort(), "\(addresses)", "\(connections)",
                "5", attack,
            ])
        let clients = try #require(siege[attack] as? [String: Any])
        let asked = try #require(clients["asked"] as? Int)
        let answered = try #require(clients["answered"] as? Int)
        #expect(asked >= 200 && answered * 100 >= asked * percent, "\(clients)")
    }

    @Test(arguments: ["silent", "partial_head"])
    func `clients that hold every place make way for others`(attack: String) throws {
        let files = try TLSFiles()
        let daemon = try DaemonProcess(
            ["serve", "--config", files.configuration()],
            environment: Self.environment.merging(["TOKEN_PROVIDER_HTTP_MAX_CONNECTIONS": "2560"]) { $1 },
            scratch: files.scratch)
        try besiege(daemon, by: attack, connections: 400)
        #expect(try Scrape(daemon.adminURL()).sum("memory_relief_total") > 0)
        #expect(try daemon.end() == 0)
    }

    @Test(arguments: ["silent", "partial_head", "idle_http2", "unread"])
    func `a neighbour with every place of an address makes way`(attack: String) throws {
        let files = try TLSFiles()
        let daemon = try DaemonProcess(
            ["serve", "--config", files.configuration()],
            environment: Self.environment.merging([
                "TOKEN_PROVIDER_HTTP_MAX_CONNECTIONS_PER_ADDRESS": "1024"
            ]) { $1 }, scratch: files.scratch)
        // Sixty connections at once are more than a slow loop frees places for.
        try besiege(daemon, by: attack, addresses: 0, connections: 1100, answering: 90)
        #expect(try daemon.end() == 0)
    }

    /// Small connections attack a daemon that allows for little.
    @Test(arguments: [
        ("pipeline", 64), ("cut_hello", 128), ("half_handshake", 128), ("closed_window", 128), ("idle_http2", 64),
        ("unread", 64), ("last_unread", 64), ("silent", 16), ("partial_head", 16),
    ])
    func `an attack on memory leaves the daemon alive and others served`(attack: String, mebibytes: Int) throws {
        let files = try TLSFiles()
        let facts = files.scratch.path("facts.json")
        let daemon = try DaemonProcess(
            under: ["python3", PythonClients.path("limited_memory.py"), "\(Self.limit)", facts],
            ["serve", "--config", files.configuration()],
            // By itself it finds the limit of a cgroup, and no other.
            environment: Self.environment.merging(["TOKEN_PROVIDER_LIMITS_MEMORY": "\(mebibytes)MiB"]) { $1 },
            scratch: files.scratch)
        let before = try resident(daemon)
        try besiege(daemon, by: attack, connections: 250)
        let scrape = try Scrape(daemon.adminURL())
        let held = try #require(scrape["client_memory_bytes"])
        #expect(held < Double(mebibytes << 20))
        // Each attacker has more than its share: that is the first to be closed, and counted.
        #expect(scrape.sum("memory_relief_total", #"step="over_share""#) > 0)
        try Patience.wait(for: "memory to go back to the system") {
            try resident(daemon) <= before + 16_777_216
        }
        #expect(try daemon.end() == 0)
        let memory = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: facts)))
        let used = try #require(memory as? [String: Any])
        // The report of the test says by which means memory was limited.
        print("\(attack): \(used)")
        #expect(used["killed"] as? Bool == false)
        #expect(try #require(used["together"] as? Int) < Self.limit / 5 * 4, "\(used)")
    }
}
