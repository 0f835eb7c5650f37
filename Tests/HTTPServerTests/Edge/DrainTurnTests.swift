import Dispatch
import Glibc
import Locking
import Testing

@testable import HTTPServer

/// A loop that has drained is no loop that stands still.
struct DrainTurnTests {
    @Test func `loops count as turning after one of them has drained`() throws {
        let server = try TestServer { $0.loops = 2 }
        let client = try server.connect()
        try client.send("GET /now HTTP/1.1\r\n")
        server.server.drain()
        // Until after the loop without a connection has ended, and at that moment.
        for _ in 0..<10 {
            usleep(60_000)
            #expect(haveTurned(server))
        }
        try client.send("Host: a\r\n\r\n")
        #expect(try client.answer().status == 200)
    }

    /// Whether every loop has turned within a time that no loop at work takes.
    private func haveTurned(_ server: TestServer) -> Bool {
        let told = DispatchSemaphore(value: 0)
        let hasTurned = Guarded(false)
        server.server.awaitTurns(within: .milliseconds(10_000)) { turned in
            hasTurned.withLock { $0 = turned }
            told.signal()
        }
        told.wait()
        return hasTurned.withLock { $0 }
    }
}
