import Concurrency
import Dispatch
import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// A loop that has finished draining does not count as stuck.
struct DrainTurnTests {
    @Test func `loops count as turning after one of them has drained`() throws {
        let server = try TestServer { $0.loops = 2 }
        let client = try server.connect()
        try client.send("GET /now HTTP/1.1\r\n")
        server.server.drain()
        #expect(haveTurned(server))
        // Draining loops drop a SYN until their listeners are closed. The loop without a connection ends with its
        // listener.
        #expect(throws: TestClient.Failure.self) { try server.connect() }
        #expect(haveTurned(server))
        try client.send("Host: a\r\n\r\n")
        #expect(try client.answer().status == 200)
    }

    /// Whether every loop has turned within 10 seconds, far longer than a turn takes.
    private func haveTurned(_ server: TestServer) -> Bool {
        let answered = DispatchSemaphore(value: 0)
        let hasTurned = Guarded(false)
        server.server.awaitTurns(within: .milliseconds(10_000)) { turned in
            hasTurned.withLock { $0 = turned }
            answered.signal()
        }
        answered.wait()
        return hasTurned.withLock { $0 }
    }
}
