import Glibc
import TestSupport
import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// A client that is still sending reads the whole answer and the close, without a reset (RFC 9112 section 9.6).
struct LingeringTests {
    private static let bad = "GET / HTTP/1.1\r\nHost: a b\r\n\r\n"
    private static let last = "GET /now HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

    @Test func `after an error the connection ends once the client half-closes`() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(Self.bad)
        let answer = try client.answer()
        #expect(answer.status == 400)
        #expect(answer.body == "malformed_host")
        #expect(answer.closes)
        client.shutdownWriting()
        #expect(try client.isEndedSilently())
    }

    @Test func `a client that keeps sending reads the error without a reset`() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(Self.bad)
        for _ in 0..<60 { try client.send([UInt8](repeating: 0, count: 1000)) }
        #expect(try client.answer().status == 400)
        client.shutdownWriting()
        #expect(try client.isEndedSilently())
    }

    @Test(arguments: [false, true])
    func `a client that half-closes before the error reads it without a reset`(isUnix: Bool) throws {
        let path = TestPath()
        let server = try TestServer(isUnix ? "unix:\(path.path)" : "127.0.0.1:0")
        let (blocker, client) = try (server.connect(), server.connect())
        _ = try client.get("/now")
        try blocker.send("GET /gate HTTP/1.1\r\nHost: a\r\n\r\n")
        try #require(server.gate.hasArrival())
        // More than the loop receives at once, so some bytes are unread when the answer has been sent.
        try client.send(Array(Self.bad.utf8) + [UInt8](repeating: 0, count: 60_000))
        client.shutdownWriting()
        server.gate.letOnePass()
        #expect(try blocker.answer().status == 200)
        // Turns in which the loop could close with unread bytes; a unix socket would then report a reset.
        for _ in 0..<20 { #expect(try blocker.get("/now").status == 200) }
        #expect(try client.answer().status == 400)
        #expect(try client.isEndedSilently())
    }

    @Test func `a client that never closes is closed after the linger timeout`() throws {
        let server = try TestServer { $0.timeouts.linger = .milliseconds(150) }
        let client = try server.connect()
        try client.send(Self.bad)
        #expect(try client.answer().status == 400)
        // The server half-closes at once; after its full close, later bytes are answered with a reset.
        #expect(try client.isEndedSilently())
        let end = ContinuousClock.now + Patience.limit
        while (try? client.send("x")) != nil { try #require(ContinuousClock.now < end) }
        #expect(try server.connect().get("/now").status == 200)
    }

    /// More answers than fit the receive queue of a client that takes none, but not more than the server's send queue.
    private func deafClient(of server: TestServer, _ last: String = "") throws -> TestClient {
        let client = try TestClient(server.address, receiveBuffer: 2048)
        try client.send(String(repeating: "GET /now HTTP/1.1\r\nHost: a\r\n\r\n", count: 60) + last)
        return client
    }

    /// Whether this client is the one that is left of two, after some time.
    private func isAloneEventually(_ client: TestClient, on server: TestServer) throws -> Bool {
        let end = ContinuousClock.now + Patience.limit
        while ContinuousClock.now < end {
            guard try client.get("/now").status == 200 else { return false }
            let accepted = server.server.statistics.count(of: .connectionAccepted)
            if accepted == 2, server.server.openConnections == 1 { return true }
        }
        return false
    }

    @Test func `a half-closed client that reads late gets all answers`() throws {
        let server = try TestServer { $0.timeouts.linger = .milliseconds(50) }
        let (other, client) = try (server.connect(), deafClient(of: server, Self.bad))
        client.shutdownWriting()
        for _ in 0..<1000 { #expect(try other.get("/now").status == 200) }
        #expect(server.server.openConnections == 2)
        for _ in 0..<60 { #expect(try client.answer().status == 200) }
        #expect(try client.answer().status == 400)
        #expect(try client.isEndedSilently())
        #expect(try isAloneEventually(other, on: server))
    }

    @Test func `an untaken last answer is reset after it was flushed too`() throws {
        let server = try TestServer { $0.timeouts.write = .milliseconds(500) }
        let (other, client) = try (server.connect(), TestClient(server.address, receiveBuffer: 2048))
        // More than both queues hold, of which the client reads so much that the rest fits the server's.
        let requests = String(repeating: "GET /now HTTP/1.1\r\nHost: a\r\n\r\n", count: 150)
        try client.send(requests + Self.last)
        for _ in 0..<120 { #expect(try client.answer().status == 200) }
        #expect(server.server.openConnections == 2)
        #expect(try isAloneEventually(other, on: server))
        #expect(try client.remainder().ending == .reset)
    }

    @Test func `a client that asks but takes nothing is reset`() throws {
        let server = try TestServer { $0.timeouts.write = .milliseconds(500) }
        let (other, client) = try (server.connect(), deafClient(of: server))
        // The server's queue has space for the answers to all these requests, each of which makes its connection active.
        var requests = 0
        while requests < 40, (try? client.send("GET /now HTTP/1.1\r\nHost: a\r\n\r\n")) != nil {
            requests += 1
            usleep(100_000)
        }
        #expect(requests < 40)
        #expect(try isAloneEventually(other, on: server))
    }

    @Test func `last answers that are not taken are charged to their address`() throws {
        let server = try TestServer()
        let deaf = try (0..<20).map { _ in try deafClient(of: server, Self.last) }
        for _ in 0..<1000 { #expect(try server.connect().get("/now").status == 200) }
        #expect(server.server.openConnections >= deaf.count)
        #expect(server.server.clientMemory.used >= deaf.count * MemoryFootprint.connection)
        for _ in 0..<60 { #expect(try deaf[0].answer().status == 200) }
        #expect(try deaf[0].answer().closes)
    }

    @Test(arguments: [false, true], [bad, last])
    func `a client that takes no answer is reset after the write timeout`(halfCloses: Bool, text: String) throws {
        let server = try TestServer {
            $0.timeouts.linger = .milliseconds(50)
            $0.timeouts.write = .milliseconds(200)
        }
        let (other, client) = try (server.connect(), deafClient(of: server, text))
        if halfCloses { client.shutdownWriting() }
        #expect(try isAloneEventually(other, on: server))
        #expect(try client.remainder().ending == .reset)
    }

    @Test func `a client that sends endlessly is closed after 64 kB`() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(Self.bad)
        #expect(throws: TestClient.Failure.self) {
            for _ in 0..<100_000 { try client.send([UInt8](repeating: 0, count: 1000)) }
        }
        #expect(try server.connect().get("/now").status == 200)
    }

    @Test(arguments: ["/now", "/work", "/helped"], ["HTTP/1.1\r\nConnection: close", "HTTP/1.0"])
    func `a client still sending its body reads the last answer, no reset`(path: String, version: String) throws {
        let server = try TestServer()
        for _ in 0..<40 {
            let client = try server.connect()
            try client.send("POST \(path) \(version)\r\nHost: a\r\nContent-Length: 16000\r\n\r\n")
            #expect(try client.answer().closes)
            for _ in 0..<16 { try client.send([UInt8](repeating: 0, count: 1000)) }
            client.shutdownWriting()
            #expect(try client.isEndedSilently())
        }
    }

    @Test(arguments: ["HEAD / HTTP/1.1\r\nHost: a b\r\n\r\n", "\r\nHEAD /%zz", "HEAD / HTTP/1.1\r\nX"])
    func `a refused HEAD request gets an answer without a body`(text: String) throws {
        let server = try TestServer { $0.timeouts.head = .milliseconds(200) }
        let client = try server.connect()
        try client.send(text)
        let answer = try client.answer(toHead: true)
        #expect(answer.status >= 400)
        #expect(answer.fields["content-length"] != "0")
        client.shutdownWriting()
        #expect(try client.isEndedSilently())
    }

    @Test(arguments: [("GET /", 0, 414), ("GET / HTTP/1.1\r\nX: ", 16, 431)])
    func `a line that exceeds its limit in a later read is refused`(start: String, lineStart: Int, status: Int) throws {
        let server = try TestServer()
        let client = try server.connect()
        let whole = Array((start + String(repeating: "x", count: 20_000)).utf8)
        try client.send(Array(whole[..<16_000]))
        try client.send(Array(whole[16_000..<lineStart + 16_384 + 3]))
        #expect(try client.answer().status == status)
    }

    @Test(arguments: [
        ("GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("FOO / HTTP/1.1\r\nHost: a\r\n\r\n", 501),
        ("GET / HTTP/2.0\r\n", 505), ("GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n", 417), ("\u{16}\u{3}\u{1}", 400),
        ("GET /" + String(repeating: "x", count: 21_000), 414),
        ("GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: 21_000), 431),
        ("GET / HTTP/1.1\r\n" + String(repeating: "A: b\r\n", count: 101), 431),
    ])
    func `an error is answered without waiting for the rest of the request`(text: String, status: Int) throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(text)
        #expect(try client.answer().status == status)
        client.shutdownWriting()
        #expect(try client.isEndedSilently())
    }
}
