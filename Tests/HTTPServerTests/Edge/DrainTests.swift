import Dispatch
import TestSupport
import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// A drain loses no request that was accepted or waits in the accept queue (RFC 9112 section 9.6).
struct DrainTests {
    private func request(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }

    @Test func `a server without connections stops`() throws {
        let server = try TestServer { $0.loops = 2 }
        server.server.drain()
        #expect(server.isStopped())
        #expect(throws: TestClient.Failure.self) { try server.connect() }
    }

    @Test func `an idle connection's next answer announces the close`() throws {
        let server = try TestServer()
        let client = try server.connect()
        #expect(try client.get("/now").closes == false)
        server.server.drain()
        var answers = 0
        let end = ContinuousClock.now + Patience.limit
        while try !client.get("/now").closes {
            answers += 1
            try #require(ContinuousClock.now < end)
        }
        client.shutdownWriting()
        #expect(try client.isEndedSilently())
        #expect(server.isStopped())
        #expect(server.records.all.count == answers + 2)
    }

    @Test func `an idle connection without further requests is closed silently`() throws {
        let server = try TestServer { $0.timeouts.drainIdle = .milliseconds(150) }
        let client = try server.connect()
        #expect(try client.get("/now").status == 200)
        server.server.drain()
        #expect(try client.isEndedSilently())
        #expect(server.isStopped())
    }

    @Test func `connections in the accept queue are accepted and answered`() throws {
        let server = try TestServer()
        let blocker = try server.connect()
        try blocker.send(request("/gate"))
        try #require(server.gate.hasArrival())
        let waiting = try (0..<50).map { number in
            let client = try server.connect()
            try client.send(request(number % 2 == 0 ? "/now" : "/work"))
            return client
        }
        server.server.drain()
        server.gate.letOnePass()
        for client in waiting {
            #expect(try client.answer().status == 200)
            client.shutdownWriting()
            #expect(try client.isEndedSilently())
        }
        #expect(try blocker.answer().status == 200)
        blocker.shutdownWriting()
        #expect(try blocker.isEndedSilently())
        #expect(server.isStopped())
        #expect(server.records.all.count == 51)
    }

    @Test func `running and queued work is answered during a drain`() throws {
        let server = try TestServer()
        let clients = try (0..<5).map { _ in try server.connect() }
        for client in clients { #expect(try client.get("/now").status == 200) }
        try clients[0].send(request("/gate"))
        try #require(server.gate.hasArrival())
        for client in clients.dropFirst() { try client.send(request("/work")) }
        server.server.drain()
        server.gate.letOnePass()
        #expect(try clients[0].answer().body == "/gate")
        for client in clients.dropFirst() { #expect(try client.answer().body == "/work") }
        for client in clients { client.shutdownWriting() }
        #expect(server.isStopped())
    }

    @Test func `a partial request has 2.5 seconds in a drain by default`() {
        #expect(ServerSettings().timeouts.drainHead == 2_500_000_000)
    }

    @Test func `a request that stays partial in a drain gets 408`() throws {
        let server = try TestServer { $0.timeouts.drainHead = .milliseconds(150) }
        let client = try server.connect()
        #expect(try client.get("/now").status == 200)
        try client.send("GET /now HTTP/1.1\r\n")
        server.server.drain()
        #expect(try client.answer().status == 408)
        client.shutdownWriting()
        #expect(try client.isEndedSilently())
        #expect(server.isStopped())
    }

    @Test func `a drain waits for the rest of a partial request`() throws {
        let server = try TestServer { $0.timeouts.drainHead = .milliseconds(60_000) }
        let (client, gate) = try (server.connect(), server.connect())
        try client.send("GET /now HTTP/1.1\r\n")
        try gate.send(request("/gate"))
        try #require(server.gate.hasArrival())
        server.server.drain()
        server.gate.letOnePass()
        #expect(try gate.answer().status == 200)
        gate.shutdownWriting()
        #expect(try gate.isEndedSilently())
        try client.send("Host: a\r\n\r\n")
        #expect(try client.answer().status == 200)
        client.shutdownWriting()
        #expect(try client.isEndedSilently())
        #expect(server.isStopped())
    }

    @Test func `a drain answers all pipelined requests that exactly fill the buffer`() throws {
        let server = try TestServer()
        let (gate, client) = try (server.connect(), server.connect())
        try gate.send(request("/gate"))
        try #require(server.gate.hasArrival())
        let start = "GET /now HTTP/1.1\r\nHost: a\r\nX: "
        let text = start + String(repeating: "x", count: 64 - start.utf8.count - 4) + "\r\n\r\n"
        // Four buffers of 16,384 bytes: the last request in each of the first three could be taken for the last of all.
        let count = 4 * 16_384 / text.utf8.count
        try client.send(String(repeating: text, count: count))
        server.server.drain()
        server.gate.letOnePass()
        for number in 1...count { #expect(try client.answer().closes == (number == count)) }
        client.shutdownWriting()
        #expect(try client.isEndedSilently())
        #expect(try gate.answer().status == 200)
    }

    @Test func `a drain answers requests that arrived while an answer was pending`() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(request("/late"))
        let promise = try #require(server.promises.next())
        try sendMoreAndDrain(client, server)
        promise.keep("/late")
        try expectAll(from: client, first: "/late")
        #expect(server.isStopped())
    }

    @Test func `a drain answers requests that arrived while work was queued`() throws {
        let server = try TestServer()
        let (first, second, client) = try (server.connect(), server.connect(), server.connect())
        try first.send(request("/gate/1"))
        try #require(server.gate.hasArrival())
        try second.send(request("/gate/2"))
        try client.send(request("/gate/3"))
        server.gate.letOnePass()
        // Each turn does one piece of work: once the second is at the gate, the client's request has been read.
        try #require(server.gate.hasArrival())
        try sendMoreAndDrain(client, server)
        server.gate.letOnePass()
        server.gate.letOnePass()
        try expectAll(from: client, first: "/gate/3")
        #expect(try first.answer().status == 200)
        #expect(try second.answer().status == 200)
    }

    private func sendMoreAndDrain(_ client: TestClient, _ server: TestServer) throws {
        try client.send(request("/now/1"))
        try client.send(request("/work/2"))
        server.server.drain()
    }

    private func expectAll(from client: TestClient, first: String) throws {
        let answers = try (0..<3).map { _ in try client.answer() }
        #expect(answers.map(\.body) == [first, "/now/1", "/work/2"])
        #expect(answers.map(\.closes) == [false, false, true])
        client.shutdownWriting()
        #expect(try client.isEndedSilently())
    }

    @Test func `a drain does not take a late body for another request`() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send("POST /late HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n123")
        let promise = try #require(server.promises.next())
        try client.send("4567890")
        server.server.drain()
        promise.keep("/late")
        #expect(try client.answer().closes)
        client.shutdownWriting()
        #expect(try client.isEndedSilently())
    }

    @Test func `a connection still open at the drain's deadline is closed`() throws {
        let server = try TestServer { $0.drainTimeout = .milliseconds(300) }
        let client = try server.connect()
        try client.send("GET /now HTTP/1.1\r\n")
        server.server.drain()
        #expect(server.isStopped())
        #expect(try client.remainder().bytes.isEmpty)
    }

    @Test func `connections during a drain are either answered or never accepted`() throws {
        let server = try TestServer { $0.loops = 2 }
        let driver = Driver(server.address)
        try #require(driver.hasBegun())
        server.server.drain()
        #expect(server.isStopped())
        let outcome = try driver.finish()
        #expect(outcome.cutOff == 0)
        #expect(outcome.answered > 0)
        #expect(server.records.all.count == outcome.answered)
    }

    @Test func `a stop closes all connections at once`() throws {
        let server = try TestServer { $0.loops = 2 }
        let clients = try (0..<10).map { _ in try server.connect() }
        for client in clients { #expect(try client.get("/now").status == 200) }
        server.server.stop()
        for client in clients { #expect(try client.remainder().bytes.isEmpty) }
        #expect(server.isStopped())
    }
}

/// A client that connects, sends a request and reads the answer, again and again, until it cannot connect.
private final class Driver: @unchecked Sendable {  // Only the queue uses the counts until `finished` is signalled.
    private let begun = DispatchSemaphore(value: 0)
    private let finished = DispatchSemaphore(value: 0)
    private var counts = (answered: 0, cutOff: 0)

    init(_ address: SocketAddress) {
        DispatchQueue(label: "driver").async { [self] in
            while let client = try? TestClient(address) {
                let status = try? client.get("/work", "Connection: close\r\n").status
                if status == 200 { counts.answered += 1 } else { counts.cutOff += 1 }
                if counts.answered == 50 { begun.signal() }
            }
            finished.signal()
        }
    }

    func hasBegun() -> Bool { begun.wait(timeout: Patience.end) == .success }

    func finish() throws -> (answered: Int, cutOff: Int) {
        try #require(finished.wait(timeout: Patience.end) == .success)
        return counts
    }
}
