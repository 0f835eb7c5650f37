import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// A body is never parsed as a request.
struct BodyTests {
    private static let smuggled = "GET /now/smuggled HTTP/1.1\r\nHost: a\r\n\r\n"

    private func post(_ fields: String, _ body: String) -> String {
        "POST /now/post HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n\(body)"
    }

    @Test func `a body is dropped and the next request is answered`() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(post("Content-Length: \(Self.smuggled.utf8.count)", Self.smuggled))
        #expect(try client.answer().body == "/now/post")
        #expect(try client.get("/now/next").body == "/now/next")
        #expect(server.records.all.count == 2)
    }

    @Test func `a request is answered before its body arrives`() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(post("Content-Length: 10", "12345"))
        #expect(try client.answer().body == "/now/post")
        try client.send("67890" + Self.smuggled)
        #expect(try client.answer().body == "/now/smuggled")
    }

    @Test func `a body that never arrives ends the connection without another answer`() throws {
        let server = try TestServer { $0.timeouts.head = .milliseconds(100) }
        let client = try server.connect()
        try client.send(post("Content-Length: 10", "12345"))
        #expect(try client.answer().body == "/now/post")
        #expect(try client.isEndedSilently())
    }

    @Test(arguments: ["/work", "/now"], [1, 100, 16_383, 16_384])
    func `a body in pieces is dropped exactly to its end`(path: String, length: Int) throws {
        let server = try TestServer()
        let client = try server.connect()
        let body = String(repeating: "b", count: length)
        let text = "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n\(body)" + Self.smuggled
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            try client.send(Array(rest.prefix(977)))
            rest = rest.dropFirst(977)
        }
        #expect(try client.answer().body == path)
        #expect(try client.answer().body == "/now/smuggled")
    }

    @Test(arguments: [0, 16_385, 40_000])
    func `a body over the limit ends the connection after the answer`(sent: Int) throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(post("Content-Length: 40000", String(repeating: "b", count: sent)))
        let answer = try client.answer()
        #expect(answer.status == 200)
        #expect(answer.closes)
        client.shutdownWriting()
        #expect(try client.isEndedSilently())
    }

    @Test(arguments: ["/now", "/work"])
    func `chunks are never parsed as requests`(path: String) throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(
            "POST \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + Self.smuggled)
        let answer = try client.answer()
        #expect(answer.body == path)
        #expect(answer.closes)
        try client.send(Self.smuggled)
        client.shutdownWriting()
        #expect(try client.isEndedSilently())
        #expect(server.records.all.count == 1)
    }

    @Test(arguments: ["", "hello"])
    func `a request with 100-continue is answered without reading its body`(body: String) throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(post("Content-Length: 5\r\nExpect: 100-continue", body))
        let answer = try client.answer()
        #expect(answer.status == 200)
        #expect(answer.closes)
        client.shutdownWriting()
        #expect(try client.isEndedSilently())
    }

    @Test func `a GET with a body is served like any other request`() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send("GET /now/1 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nGET")
        #expect(try client.answer().body == "/now/1")
        #expect(try client.get("/now/2").body == "/now/2")
    }
}
