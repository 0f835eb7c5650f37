import Foundation
import Testing

/// Attacks on the memory of a daemon that has little of it: clients that read nothing, whose handshakes stop, or whose
/// windows are closed. Without a budget each of them ends the daemon.
@Suite(.serialized, .blocking) struct MemoryAttackTests {
    private static let limit = 256 << 20

    @Test(arguments: ["pipeline", "cut_hello", "half_handshake", "closed_window"])
    func `an attack on memory leaves the daemon alive and others served`(attack: String) throws {
        let files = try TLSFiles()
        let facts = files.scratch.path("facts.json")
        let daemon = try DaemonProcess(
            under: ["python3", PythonClients.path("limited_memory.py"), "\(Self.limit)", facts],
            ["serve", "--config", files.configuration()],
            // By itself it finds the limit of a cgroup, and no other.
            environment: ["TOKEN_PROVIDER_LIMITS_MEMORY": "128MiB", "TOKEN_PROVIDER_ADMIN_LISTEN": "127.0.0.1:0"],
            scratch: files.scratch)
        let secure = try #require(daemon.secureURL().split(separator: ":").last)
        let plain = try #require(daemon.said.firstMatch(of: /listening on http:\/\/127.0.0.1:(\d+)\n/)).1
        // Two thousand connections of eight addresses for five seconds.
        let siege = try PythonClients.run("memory_siege.py", ["\(plain)", "\(secure)", "8", "250", "5", attack])
        let clients = try #require(siege[attack] as? [String: Any])
        let asked = try #require(clients["asked"] as? Int)
        let answered = try #require(clients["answered"] as? Int)
        #expect(asked > 20 && answered * 100 >= asked * 99, "\(clients)")
        let scrape = try Scrape(daemon.adminURL())
        let held = try #require(scrape["client_memory_bytes"])
        #expect(held < 128 * 1_048_576)
        #expect(try daemon.end() == 0)
        let memory = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: facts)))
        let used = try #require(memory as? [String: Any])
        // The report of the test says by which means memory was limited.
        print("\(attack): \(used)")
        #expect(used["killed"] as? Bool == false)
        #expect(try #require(used["together"] as? Int) < Self.limit / 5 * 4, "\(used)")
    }
}
