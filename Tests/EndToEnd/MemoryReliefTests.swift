import Testing

/// Clients that hold more memory than the daemon has for them, one kind after the other.
@Suite(.serialized, .blocking) struct MemoryReliefTests {
    @Test func `each step of relief is taken in its order and counted`() throws {
        let files = try TLSFiles()
        let backEnd = try BackEnd()
        let configuration = try files.scratch.write(
            "token-provider.yaml",
            """
            listen: 127.0.0.1:0
            credentials: key.json
            tls: {listen: 127.0.0.1:0, certificates: [\(TLSFiles.certificate)]}
            forward_auth: {url: "\(backEnd.url)", timeout: 60s, max_connections: 8, cache_time: 10m}
            rules: [{name: riders, kinds: [consumer], forward_auth: true}]
            limits: {memory: 16MiB, memory_per_address: 16MiB}
            """)
        let daemon = try DaemonProcess(
            ["serve", "--config", configuration], environment: DaemonProcess.withAdmin, scratch: files.scratch)
        let facts = try PythonClients.run(
            "memory_relief.py", [daemon.port, daemon.securePort(), "\(daemon.adminURL())/metrics"])
        let order = ["silent", "idle", "session", "stream", "stalled", "refused"]
        for (index, step) in order.enumerated() {
            let seen = try #require(facts[step] as? [String: Any])
            let steps = try #require(seen["steps"] as? [String])
            #expect(steps.contains(step))
            #expect(!steps.contains { order[(index + 1)...].contains($0) }, "\(steps) before \(step)")
        }
        #expect(facts["answers"] as? [Int] == [503])
    }
}
