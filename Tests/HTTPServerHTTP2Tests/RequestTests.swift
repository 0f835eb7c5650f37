import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// Requests and their answers in HTTP/2 streams.
struct RequestTests {
    @Test func `a request is answered as in HTTP/1.1`() throws {
        let server = try TestServer.http2()
        let client = try FrameClient(server)
        let answer = try client.get(1, "/id")
        #expect(answer.status == 200)
        #expect(answer.field("x-request-id") == String(repeating: "0", count: 16 - answer.body.count) + answer.body)
        #expect(answer.field("date")?.hasSuffix(" GMT") == true)
        #expect(answer.field("content-length") == String(answer.body.count))
        #expect(answer.fields.map(\.name) == [":status", "date", "x-request-id", "content-length"])
        #expect(try server.connect().get("/id").status == 200)
        #expect(try client.get(3, "/peer").body == "127.0.0.1")
        let record = try #require(server.records.all.last)
        #expect(record.method == .get)
        #expect(record.bodyBytes == 9)
    }

    @Test func `HEAD gets the length but no body`() throws {
        let client = try FrameClient(TestServer.http2())
        try client.send(.headers(1, [(":method", "HEAD")] + RequestFields.get("/large").dropFirst()))
        let answer = try client.answer(1)
        #expect(answer.field("content-length") == String(TestServer.largeBody.count))
        #expect(answer.body.isEmpty)
    }

    @Test func `a hundred requests in one write are all answered`() throws {
        let client = try FrameClient(TestServer.http2())
        try client.send((0..<100).map { .request($0 * 2 + 1, "/\($0)") })
        for number in UInt32(0)..<100 { #expect(try client.answer(number * 2 + 1).body == "/\(number)") }
    }

    @Test func `a late answer or pending work does not block other streams`() throws {
        let server = try TestServer.http2()
        let client = try FrameClient(server)
        try client.send(
            .request(1, "/late"), .request(3, "/promise"), .request(5, "/work"), .request(7, "/now"),
            .request(9, "/late"))
        let promises = try (0..<3).map { _ in try #require(server.promises.next()) }
        #expect(try client.answer(7).body == "/now")
        #expect(try client.answer(5).body == "/work")
        for (promise, text) in zip(promises, ["first", "second", "third"]) { promise.keep(text) }
        #expect(try Set([1, 3, 9].map { try client.answer($0).body }) == ["first", "second", "third"])
        #expect(client.order.prefix(2) == [7, 5])
    }

    @Test func `work of streams and other connections shares one queue`() throws {
        let server = try TestServer.http2()
        let client = try FrameClient(server)
        let other = try server.connect()
        try client.send(.request(1, "/gate/1"))
        #expect(server.gate.hasArrival())
        try client.send(.request(3, "/gate/3"))
        server.gate.letOnePass()
        #expect(try client.answer(1).body == "/gate/1")
        #expect(server.gate.hasArrival())
        try other.send("GET /gate/other HTTP/1.1\r\nHost: a\r\n\r\n")
        server.gate.openForGood()
        #expect(try client.answer(3).body == "/gate/3")
        #expect(try other.answer().body == "/gate/other")
    }

    @Test func `work for a cancelled stream is not done`() throws {
        let server = try TestServer.http2()
        let client = try FrameClient(server)
        try client.send(.request(1, "/gate/1"))
        #expect(server.gate.hasArrival())
        try client.send(.request(3, "/gate/3"), .request(5, "/late"), .reset(3), .reset(5), .request(7, "/gate/7"))
        server.gate.openForGood()
        #expect(try client.answer(7).body == "/gate/7")
        try #require(server.promises.next()).keep("too late")
        #expect(try client.get(9, "/now").body == "/now")
        #expect(server.records.all.map(\.annotation.route) == ["/gate/1", "/gate/7", "/now"])
    }

    @Test func `a dropped promise is answered 503`() throws {
        let server = try TestServer.http2()
        let client = try FrameClient(server)
        try client.send(.request(1, "/late"))
        try #require(server.promises.next()).drop()
        let answer = try client.answer(1)
        #expect(answer.status == 503)
        #expect(answer.body == "answer_abandoned")
    }

    @Test(arguments: ["/0123456789", "/shared456789"])
    func `a body is sent as the client opens its windows`(path: String) throws {
        let client = try FrameClient(TestServer.http2(), settings: [(4, 3)])
        try client.send(.request(1, path), .request(3, "/x"))
        #expect(try client.next(.data)?.payload == Array(path.utf8.prefix(3)))
        #expect(try client.answer(3).body == "/x")
        try client.send(.window(1, 4))
        #expect(try client.next(.data)?.payload == Array(path.utf8.dropFirst(3).prefix(4)))
        try client.send(.settings([(4, 100)]))
        #expect(try client.answer(1).body == path)
    }

    @Test func `a large body arrives whole at the reader's pace`() throws {
        let client = try FrameClient(TestServer.http2(), settings: [(4, 1 << 30)])
        try client.send(.window(0, 1 << 30), .request(1, "/large"), .request(3, "/now"))
        #expect(try client.answer(1).body.utf8.count == TestServer.largeBody.count)
        #expect(try client.answer(3).body == "/now")
    }

    @Test func `fields may arrive in CONTINUATION, padded, and as trailers`() throws {
        let client = try FrameClient(TestServer.http2())
        let block = RequestFields.encoded(RequestFields.get("/now") + [("long", String(repeating: "x", count: 9000))])
        let parts = stride(from: 0, to: block.count, by: 3000).map { Array(block[$0..<min($0 + 3000, block.count)]) }
        try client.send(Frame(.headers, Frame.padded, stream: 1, [2] + parts[0] + [0, 0]))
        for part in parts.dropFirst().dropLast() { try client.send(Frame(.continuation, 0, stream: 1, part)) }
        try client.send(Frame(.continuation, Frame.endsHeaders, stream: 1, parts.last ?? []))
        try client.send(
            Frame(.data, Frame.padded, stream: 1, [3, 1, 2, 3, 0, 0, 0]), .headers(1, [("checksum", "none")]))
        #expect(try client.answer(1).body == "/now")
        #expect(try client.get(3, "/now").body == "/now")
    }

    @Test(arguments: [
        ("http", "A.test:80", "a.TEST", true), ("https", "a", "a:443", true), ("http", "a", "a:443", false),
        ("http", "a", "a:81", false), ("http", "[::A]", "[::a]:80", true), ("http", "a", "a,a", false),
    ])
    func `a host is compared without case and default port`(
        scheme: String, authority: String, host: String, isSame: Bool
    ) throws {
        let client = try FrameClient(TestServer.http2())
        let fields = [(":method", "GET"), (":scheme", scheme), (":authority", authority), (":path", "/now")]
        try client.send(.headers(1, fields + [("host", host)]))
        #expect(try client.answer(1).status == (isSame ? 200 : 400))
    }

    @Test func `split cookies become one field, and a matching host is accepted`() throws {
        let assembly = RequestAssembly(limits: HTTPLimits())
        assembly.begin()
        for (name, value) in RequestFields.get("/p?q") + [
            ("cookie", "a=1"), ("host", "a"), ("cookie", "b=2"), ("x", ""),
        ] {
            #expect(
                Array(name.utf8).withUnsafeBytes { name in
                    Array(value.utf8).withUnsafeBytes { assembly.add(name, $0) }
                })
        }
        guard case .request(let head) = assembly.finish(hasBody: false) else {
            Issue.record("expected a request")
            return
        }
        let request = HTTPRequest(bytes: assembly.bytes, head: head, peer: nil, requestID: 1)
        let hasPath = request.hasPath("/p")
        let fields = [request.field("cookie"), request.field("host"), request.field("x")]
        #expect(hasPath)
        #expect(fields == ["a=1; b=2", "a", ""])
    }
}

/// Request bodies, which are read and dropped.
struct RequestBodyTests {
    private func post(_ length: Int?) -> [(String, String)] {
        let fields = [(":method", "POST")] + RequestFields.get("/now").dropFirst()
        return fields + (length.map { [("content-length", String($0))] } ?? [])
    }

    @Test func `a body within the limit is dropped, with or without length`() throws {
        let client = try FrameClient(TestServer.http2())
        let body = [UInt8](repeating: 7, count: 8192)
        for (index, length) in [16_384, nil].enumerated() {
            let stream = UInt32(index * 2 + 1)
            try client.send(.headers(stream, post(length), Frame.endsHeaders))
            #expect(try client.answer(stream).body == "/now")
            try client.send(Frame(.data, 0, stream: stream, body), Frame(.data, Frame.endsStream, stream: stream, body))
        }
        #expect(try client.get(5, "/now").resetCode == nil)
    }

    @Test(arguments: [1_000_000, nil])
    func `a body over the limit is answered, then its stream is reset`(length: Int?) throws {
        let client = try FrameClient(TestServer.http2 { $0.timeouts.head = .milliseconds(300) })
        let part = Frame(.data, 0, stream: 1, .init(repeating: 7, count: 16_384))
        try client.send(.headers(1, post(length), Frame.endsHeaders), part, part)
        let answer = try client.answer(1)
        #expect(answer.body == "/now")
        #expect(answer.resetCode == nil)
        #expect(try client.next(.resetStream) == .reset(1, 0))
        #expect(try client.get(3, "/now").status == 200)
    }

    @Test func `a request with 100-continue is answered without its body`() throws {
        let client = try FrameClient(TestServer.http2 { $0.timeouts.head = .milliseconds(300) })
        try client.send(.headers(1, post(9) + [("expect", "100-continue")], Frame.endsHeaders))
        #expect(try client.answer(1).status == 200)
        #expect(try client.next(.resetStream) == .reset(1, 0))
    }

    @Test func `a body of the wrong length resets only its stream`() throws {
        let server = try TestServer.http2()
        let client = try FrameClient(server)
        try client.send(
            .headers(1, [(":method", "POST")] + RequestFields.get("/late").dropFirst() + [("content-length", "3")], 4),
            Frame(.data, Frame.endsStream, stream: 1, [1, 2]))
        #expect(try client.answer(1).resetCode == 1)
        #expect(try client.get(3, "/now").status == 200)
    }
}
