import Concurrency
import Testing

@testable import HTTPServerTLS

/// Rotation of the keys of session tickets.
struct TicketTests {
    private static let hour: UInt64 = 3600 * 1_000_000_000

    @Test func `a key encrypts for one period and decrypts for another`() {
        var ring = TicketKeyRing(1, at: 0)
        ring.turn(to: 12 * Self.hour - 1) { 2 }
        #expect(ring.current == 1)
        #expect(ring.previous == nil)
        ring.turn(to: 12 * Self.hour) { 2 }
        #expect(ring.current == 2)
        #expect(ring.previous == 1)
        ring.turn(to: 24 * Self.hour) { 3 }
        #expect(ring.current == 3)
        #expect(ring.previous == 2)
    }

    @Test func `after a long pause no previous key is left`() {
        var ring = TicketKeyRing(1, at: 0)
        ring.turn(to: 24 * Self.hour) { 2 }
        #expect(ring.current == 2)
        #expect(ring.previous == nil)
    }

    @Test func `the current key stays if no new one can be made`() {
        var ring = TicketKeyRing(1, at: 0)
        ring.turn(to: 13 * Self.hour) { nil }
        #expect(ring.current == 1)
        ring.turn(to: 14 * Self.hour) { 2 }
        #expect(ring.previous == 1)
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func `a ticket resumes for its key's period and the next`(version: String) throws {
        let clock = Clock()
        let server = try TLSTestServer(tickets: TicketKeys { clock.time.withLock { $0 } })
        let (old, renewed) = (server.authority.path("old"), server.authority.path("renewed"))
        func resumes(_ session: String, at hour: UInt64, _ arguments: [String] = []) throws -> Bool {
            clock.time.withLock { $0 = hour * Self.hour }
            return try server.connect([version, "-sess_in", session] + arguments).output.contains("Reused, ")
        }
        _ = try server.connect([version, "-sess_out", old])
        #expect(try resumes(old, at: 1))
        #expect(try resumes(old, at: 13, ["-sess_out", renewed]))
        #expect(try !resumes(old, at: 26))
        // TLS 1.2 sends a new ticket too, but s_client does not save it.
        guard version == "-tls1_3" else { return }
        #expect(try resumes(renewed, at: 27))
        #expect(try !resumes(renewed, at: 60))
    }

    @Test func `every loop accepts the tickets of all other loops`() throws {
        let server = try TLSTestServer { $0.loops = 4 }
        for _ in 0..<8 { #expect(try server.run("resume", "1.3") == "False True True") }
    }
}

/// A clock that the test sets.
private final class Clock: Sendable {
    let time = Guarded<UInt64>(0)
}
