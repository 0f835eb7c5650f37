import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// Requests and answers on keep-alive connections, over a real socket.
struct KeepAliveTests {
    @Test func `one connection serves one request after another`() throws {
        let server = try TestServer()
        let client = try server.connect()
        for number in 0..<100 {
            let answer = try client.get("/now\(number)")
            #expect(answer.status == 200)
            #expect(answer.body == "/now\(number)")
            #expect(answer.fields["connection"] == nil)
        }
    }

    @Test func `an answer has a date, a length and a unique request id`() throws {
        let server = try TestServer()
        let client = try server.connect()
        let (first, second) = try (client.get("/now"), client.get("/now"))
        #expect(first.fields["date"]?.hasSuffix(" GMT") == true)
        #expect(first.fields["date"]?.utf8.count == HTTPDate.length)
        #expect(first.fields["content-length"] == "4")
        #expect(first.fields["x-request-id"]?.utf8.count == 16)
        #expect(first.fields["x-request-id"] != second.fields["x-request-id"])
    }

    @Test(arguments: ["/now", "/work"])
    func `HEAD gets the length but no body`(path: String) throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send("HEAD \(path) HTTP/1.1\r\nHost: a\r\n\r\nGET /next HTTP/1.1\r\nHost: a\r\n\r\n")
        let head = try client.answer(toHead: true)
        #expect(head.fields["content-length"] == "\(path.utf8.count)")
        #expect(try client.answer().body == "/next")
    }

    @Test(arguments: ["/now", "/work"])
    func `a request with the close option ends its connection`(path: String) throws {
        let server = try TestServer()
        let client = try server.connect()
        let answer = try client.get(path, "Connection: close\r\n")
        #expect(answer.closes)
        #expect(answer.body == path)
        #expect(try client.isEndedSilently())
    }

    @Test(arguments: ["/now", "/work"])
    func `an HTTP/1.0 connection ends unless it asks for keep-alive`(path: String) throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send("GET \(path) HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        let first = try client.answer()
        #expect(first.fields["connection"] == "keep-alive")
        try client.send("GET \(path) HTTP/1.0\r\n\r\n")
        let second = try client.answer()
        #expect(second.closes)
        #expect(try client.isEndedSilently())
    }

    @Test(arguments: ["/now", "/work"])
    func `a client that half-closes after its request reads the answer`(path: String) throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
        client.shutdownWriting()
        #expect(try client.answer().body == path)
        #expect(try client.isEndedSilently())
    }

    @Test func `a client that half-closes while work is pending reads the answer`() throws {
        let server = try TestServer()
        let (client, other) = try (server.connect(), server.connect())
        try client.send("GET /gate HTTP/1.1\r\nHost: a\r\n\r\n")
        try #require(server.gate.hasArrival())
        client.shutdownWriting()
        try other.send("GET /gate/2 HTTP/1.1\r\nHost: a\r\n\r\n")
        server.gate.letOnePass()
        #expect(try client.answer().body == "/gate")
        server.gate.letOnePass()
        #expect(try client.isEndedSilently())
        #expect(try other.answer().body == "/gate/2")
    }

    @Test func `a client that half-closes within a request gets no answer`() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send("GET /now HTTP/1.1\r\nHost:")
        client.shutdownWriting()
        #expect(try client.isEndedSilently())
    }

    @Test func `every answer is recorded once, including refusals`() throws {
        let server = try TestServer()
        let client = try server.connect()
        _ = try client.get("/now?secret")
        _ = try client.get("/work")
        try client.send(
            "POST /now/p HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nabFOO / HTTP/1.1\r\nHost: a\r\n\r\n")
        let (third, fourth) = try (client.answer(), client.answer())
        _ = try client.remainder()
        let records = server.records.all
        #expect(records.map(\.annotation.route) == ["/now", "/work", "/now/p", ""])
        #expect(records.map(\.method) == [.get, .get, .post, nil])
        #expect(records.map(\.status.rawValue) == [200, 200, 200, 501])
        #expect(records.map(\.bodyBytes) == [4, 5, 6, 14])
        #expect([third.status, fourth.status] == [200, 501])
        #expect(Set(records.map(\.requestID)).count == 4)
    }

    @Test func `a handler sees the request id that the answer carries`() throws {
        let server = try TestServer()
        let client = try server.connect()
        let answer = try client.get("/id")
        #expect(answer.fields["x-request-id"].flatMap { UInt64($0, radix: 16) } == UInt64(answer.body, radix: 16))
    }
}
