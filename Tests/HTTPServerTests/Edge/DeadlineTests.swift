import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// Slow or silent clients, while other clients are served.
struct DeadlineTests {
    @Test(arguments: ["G", "GET /now HTTP/1.1\r\nHost: a\r\n"])
    func `an incomplete request at its deadline gets 408 and is closed`(text: String) throws {
        let server = try TestServer { $0.timeouts.head = .milliseconds(200) }
        let (slow, other) = try (server.connect(), server.connect())
        try slow.send(text)
        #expect(try other.get("/now").status == 200)
        let answer = try slow.answer()
        #expect(answer.status == 408)
        #expect(answer.body == "head_timeout")
        #expect(answer.closes)
        slow.shutdownWriting()
        #expect(try slow.isEndedSilently())
    }

    @Test func `a client that stays silent is closed without an answer`() throws {
        let server = try TestServer { $0.timeouts.idle = .milliseconds(200) }
        #expect(try server.connect().isEndedSilently())
        #expect(server.records.all.isEmpty)
    }

    @Test(arguments: ["/now", "/work"])
    func `an idle client is closed silently after its answer`(path: String) throws {
        let server = try TestServer { $0.timeouts.idle = .milliseconds(1000) }
        let client = try server.connect()
        #expect(try client.get(path).closes == false)
        #expect(try client.isEndedSilently())
    }

    @Test func `a client that never reads is closed while others are served`() throws {
        let server = try TestServer {
            $0.timeouts.write = .milliseconds(200)
            $0.timeouts.idle = .milliseconds(1000)
        }
        let deaf = try TestClient(server.address, receiveBuffer: 4096)
        let other = try server.connect()
        try deaf.send(String(repeating: "GET /large HTTP/1.1\r\nHost: a\r\n\r\n", count: 3))
        #expect(try other.get("/now").status == 200)
        // Its idle timeout ends long after the write timeout of the client that never reads.
        #expect(try other.isEndedSilently())
        let (bytes, _) = try deaf.remainder()
        #expect(bytes.count < TestServer.largeBody.count)
        #expect(server.records.all.filter { $0.annotation.route == "/large" }.count == 1)
    }

    @Test func `an earlier idle deadline does not close a slow reader`() throws {
        let server = try TestServer { $0.timeouts.idle = .milliseconds(1000) }
        let slow = try TestClient(server.address, receiveBuffer: 4096)
        let clock = try server.connect()
        try slow.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
        // Once the idle connection is closed, the slow reader's first deadline check has passed too.
        #expect(try clock.isEndedSilently())
        #expect(try slow.answer().body.utf8.count == TestServer.largeBody.count)
        #expect(try slow.isEndedSilently())
    }

    @Test func `hundreds of silent or incomplete connections do not block other clients`() throws {
        let server = try TestServer()
        let silent = try (0..<100).map { _ in try server.connect() }
        let halfSent = try (0..<100).map { number in
            let client = try server.connect()
            try client.send("GET /now HTTP/1.1\r\nX\(number): ")
            return client
        }
        #expect(try server.connect().get("/now").status == 200)
        for client in halfSent {
            try client.send("y\r\nHost: a\r\n\r\n")
            #expect(try client.answer().status == 200)
        }
        for client in silent { #expect(try client.get("/now").status == 200) }
    }
}
