import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// Requests that do not wait for answers (RFC 9112 section 9.3.2).
struct PipeliningTests {
    private func request(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }

    @Test(arguments: [["/now"], ["/work"], ["/now", "/work"], ["/work", "/now", "/now"]])
    func `requests in one segment are answered in order`(kinds: [String]) throws {
        let server = try TestServer()
        let client = try server.connect()
        let paths = (0..<60).map { kinds[$0 % kinds.count] + "/\($0)" }
        try client.send(paths.map(request).joined())
        for path in paths { #expect(try client.answer().body == path) }
    }

    @Test func `requests that arrive byte by byte are answered in order`() throws {
        let server = try TestServer()
        let client = try server.connect()
        let paths = ["/now/1", "/work/2", "/now/3"]
        for byte in paths.map(request).joined().utf8 { try client.send([byte]) }
        for path in paths { #expect(try client.answer().body == path) }
    }

    @Test(arguments: UInt64(1)...5)
    func `requests cut at random are answered in order`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let server = try TestServer()
        let client = try server.connect()
        let paths = (0..<200).map { (Bool.random(using: &generator) ? "/now/" : "/work/") + "\($0)" }
        var rest = Array(paths.map(request).joined().utf8)[...]
        while !rest.isEmpty {
            let count = Int.random(in: 1...500, using: &generator)
            try client.send(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        for path in paths { #expect(try client.answer().body == path) }
    }

    @Test(arguments: [1, 2, 5])
    func `requests that exactly fill the read buffer are all answered`(times: Int) throws {
        let server = try TestServer()
        let client = try server.connect()
        // 256 bytes each, so that 64 fill a loop's buffer.
        let paths = (0..<64 * times).map { number in
            let start = "/now/\(number)/"
            return start + String(repeating: "x", count: 256 - request(start).utf8.count)
        }
        try client.send(paths.map(request).joined())
        client.shutdownWriting()
        for path in paths { #expect(try client.answer().body == path) }
        #expect(try client.isEndedSilently())
    }

    @Test func `an answer that needs work delays the answers after it`() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(request("/gate") + request("/now/1") + request("/work/2"))
        try #require(server.gate.hasArrival())
        #expect(server.records.all.isEmpty)
        try client.send(request("/now/3"))
        server.gate.letOnePass()
        #expect(try (0..<4).map { _ in try client.answer().body } == ["/gate", "/now/1", "/work/2", "/now/3"])
        #expect(server.records.all.map(\.annotation.route) == ["/gate", "/now/1", "/work/2", "/now/3"])
    }

    @Test func `a peer that ends before it reads gets every answer`() throws {
        let server = try TestServer()
        // The end mostly comes with the request; then the answer waits for the peer when the end is noticed.
        for _ in 0..<4 {
            let client = try server.connect()
            try client.send(request("/large") + request("/now/1"))
            client.shutdownWriting()
            #expect(try client.answer().body.utf8.count == TestServer.largeBody.count)
            #expect(try client.answer().body == "/now/1")
            #expect(try client.isEndedSilently())
        }
    }

    @Test func `answers larger than the socket buffer are sent in order`() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send((0..<4).map { request("/large") + request("/now/\($0)") }.joined())
        for number in 0..<4 {
            #expect(try client.answer().body.utf8.count == TestServer.largeBody.count)
            #expect(try client.answer().body == "/now/\(number)")
        }
    }

    @Test func `requests after one that closes the connection are not answered`() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send("GET /now HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" + request("/now/2"))
        #expect(try client.answer().closes)
        #expect(try client.isEndedSilently())
        #expect(server.records.all.count == 1)
    }

    @Test func `valid requests before a malformed one are answered first`() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(request("/work") + request("/now") + "GET / HTTP/1.1\nHost: a\n\n" + request("/now/never"))
        #expect(try (0..<3).map { _ in try client.answer().status } == [200, 200, 400])
        client.shutdownWriting()
        #expect(try client.isEndedSilently())
        #expect(server.records.all.count == 3)
    }

    @Test func `an empty line between two requests is skipped`() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(request("/now/1") + "\r\n" + request("/now/2"))
        #expect(try (0..<2).map { _ in try client.answer().body } == ["/now/1", "/now/2"])
    }
}
