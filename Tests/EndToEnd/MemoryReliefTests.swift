import TestSupport
import Testing

/// Clients that hold more memory than the daemon has for them, one kind after the other.
@Suite(.serialized, .blocking) struct MemoryReliefTests {
    let files: TLSFiles
    let backEnd: BackEnd

    init() throws {
        files = try TLSFiles()
        backEnd = try BackEnd()
    }

    /// A daemon with little memory, whose back end decides.
    private func daemon(_ share: String = "") throws -> DaemonProcess {
        let configuration = try files.scratch.write(
            "token-provider.yaml",
            """
            listen: 127.0.0.1:0
            credentials: key.json
            tls: {listen: 127.0.0.1:0, certificates: [\(TLSFiles.certificate)]}
            forward_auth: {url: "\(backEnd.url)", timeout: 60s, max_connections: 8, cache_time: 10m}
            rules: [{name: riders, kinds: [consumer], forward_auth: true}]
            limits: {memory: 16MiB\(share)}
            """)
        return try DaemonProcess(
            ["serve", "--config", configuration], environment: DaemonProcess.withAdmin, scratch: files.scratch)
    }

    private func run(_ client: String, on daemon: DaemonProcess) throws -> [String: Any] {
        try PythonClients.run(client, [daemon.port, daemon.securePort(), "\(daemon.adminURL())/metrics"])
    }

    @Test func `each step of relief is taken in its order and counted`() throws {
        let daemon = try daemon(", memory_per_address: 16MiB")
        let facts = try run("memory_relief.py", on: daemon)
        let order = ["silent", "idle", "session", "stream", "stalled", "refused"]
        for (index, step) in order.enumerated() {
            let seen = try #require(facts[step] as? [String: Any])
            let steps = try #require(seen["steps"] as? [String])
            #expect(steps.contains(step))
            #expect(!steps.contains { order[(index + 1)...].contains($0) }, "\(steps) before \(step)")
        }
        func seen(_ step: String) -> [String: Any] { facts[step] as? [String: Any] ?? [:] }
        #expect(seen("session")["goaway"] as? Bool == true)
        #expect(seen("stream")["codes"] as? [Int] == [7], "expected REFUSED_STREAM")
        #expect(seen("refused")["answers"] as? [Int] == [503])
    }

    @Test func `a daemon with free memory closes no address's connections`() throws {
        let daemon = try daemon()
        let facts = try run("memory_bounds.py", on: daemon)
        // Three hundred connections take more than a sixteenth.
        #expect(facts["kept"] as? Int == 300)
        #expect(facts["over_share"] as? Int == 0)
        // Each connection's streams fit its address's share.
        #expect(facts["streams"] as? Int == 12)
        #expect(try #require(facts["kernel_bytes"] as? Int) <= 65_536)
        #expect(try daemon.end() == 0)
    }
}
