import HTTPServerHTTP2
import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// Malformed requests (RFC 9113 sections 8.2 and 8.3): each is refused alone, and its connection continues.
struct MalformedRequestTests {
    private static let get = RequestFields.get("/now")

    private static func without(_ name: String) -> [(String, String)] { get.filter { $0.0 != name } }

    private static func with(_ name: String, _ value: String) -> [(String, String)] {
        get.map { $0.0 == name ? (name, value) : $0 }
    }

    static let resets: [[(String, String)]] =
        [":method", ":scheme", ":path", ":authority"].map(without)
        + [
            get + [("Upper", "case")], get + [("", "x")], get + [("na me", "x")], get + [("x", "a\r\nb: c")],
            get + [("x", "a\0b")], get + [("x", " lead")], get + [("x", "trail\t")],
            get + [("connection", "close")], get + [("keep-alive", "1")], get + [("proxy-connection", "x")],
            get + [("transfer-encoding", "chunked")], get + [("upgrade", "h2c")], get + [("te", "gzip")],
            get + [(":path", "/again")], get + [(":unknown", "x")], get + [(":status", "200")],
            [("x", "before")] + get, get + [("content-length", "x")], get + [("content-length", "5")],
            get + [("content-length", "0"), ("content-length", "0")], get + [("host", "a"), ("host", "a")],
            with(":path", ""), with(":path", "now"), with(":path", "*"),
            with(":path", "/a b"), with(":path", "/a\r\nb"),
            with(":method", "GE T"), with(":method", ""), with(":scheme", "ht tp"), with(":authority", "a b"),
            [(":method", "CONNECT"), (":scheme", "http"), (":authority", "a:1"), (":path", "/")],
            get + [(":protocol", "websocket")],
        ] + doubled + emptied + lengths + names + targets

    private static let doubled = get.map { get + [$0] } + get.map { Array(get.dropFirst()) + [("x", "y"), $0] }
    private static let emptied = get.map { with($0.0, "") } + [without(":authority") + [("host", "")]]
    private static let lengths = ["", "-1", "+5", "1, 1", "0x1", "5 5", "9223372036854775808"].map {
        get + [("content-length", $0)]
    }
    private static let names: [[(String, String)]] = [
        get + [(":", "x")], get + [("x:", "y")], get + [("x\u{E9}", "y")], get + [("x\0", "y")],
        get + [("camelCase", "y")], get + [("x", "\u{7F}")], get + [("x", "a\rb")], get + [("x", "\t")],
        get + [("te", "")], get + [("te", "trailers, gzip")], get + [("connection", "")],
        get + [("host", "a b")], without(":authority") + [("host", "a"), ("host", "a")],
        get + [("cookie", "a=1"), ("cookie", " b=2")], get + [("cookie", "a\nb")],
    ]
    private static let targets: [[(String, String)]] = [
        with(":path", "http://a/now"), with(":path", "/a\tb"), with(":path", "/\u{7F}"), with(":path", "?q"),
        with(":method", "G\0T"), with(":method", "GET "), with(":authority", "a\r\nx: y"), with(":scheme", " http"),
        [(":method", "OPTIONS"), (":scheme", "http"), (":authority", "a"), (":path", "now")],
        [(":method", "CONNECT")], [(":method", "CONNECT"), ("host", "a:1")],
        [(":method", "CONNECT"), (":authority", "a 1")],
        [(":method", "CONNECT"), (":authority", "a:1"), (":path", "/")],
        [(":method", "CONNECT"), (":authority", "a:1"), (":scheme", "http")],
    ]

    @Test(arguments: resets)
    func `a malformed HTTP/2 request resets its stream`(fields: [(String, String)]) throws {
        let client = try FrameClient(TestServer.http2())
        try client.send(.headers(1, fields))
        let answer = try client.answer(1)
        #expect(answer.resetCode == 1, "\(answer)")
        #expect(try client.get(3, "/now").body == "/now")
    }

    static let refusals: [([(String, String)], Int, String)] = [
        (with(":authority", "u@a"), 400, "malformed_host"), (with(":authority", "a:70000"), 400, "malformed_host"),
        (with(":authority", "[::1"), 400, "malformed_host"), (get + [("host", "b")], 400, "malformed_host"),
        (without(":authority") + [("host", "a,b")], 400, "malformed_host"),
        (with(":path", "/%4"), 400, "malformed_target"), (with(":path", "/%zz"), 400, "malformed_target"),
        (with(":path", "/\u{E9}"), 400, "malformed_target"), (with(":path", "/<"), 400, "malformed_target"),
        (with(":path", "/a#b"), 400, "malformed_target"),
        (with(":scheme", "ftp"), 400, "malformed_target"), (with(":method", "BREW"), 501, "unknown_method"),
        (with(":path", "/" + String(repeating: "x", count: 16_384)), 414, "target_too_long"),
        (get + [("x", String(repeating: "x", count: 16_384))], 431, "fields_too_large"),
        (get + (0..<101).map { ("x\($0)", "") }, 431, "fields_too_large"),
        (get + [("expect", "the-unexpected")], 417, "unknown_expectation"),
        (get + [("content_length", "3")], 400, "malformed_field"),
    ]

    @Test(arguments: refusals)
    func `requests that HTTP/1.1 refuses get the same status and code`(
        fields: [(String, String)], status: Int, code: String
    ) throws {
        let client = try FrameClient(TestServer.http2())
        // A field block may be longer than a frame.
        let block = RequestFields.encoded(fields)
        try client.send(Frame(.headers, Frame.endsStream, stream: 1, Array(block.prefix(16_000))))
        try client.send(Frame(.continuation, Frame.endsHeaders, stream: 1, Array(block.dropFirst(16_000))))
        let answer = try client.answer(1)
        #expect(answer.status == status)
        #expect(answer.body == code)
        #expect(try client.get(3, "/now").body == "/now")
    }

    @Test func `host without authority, CONNECT and OPTIONS work as in HTTP/1.1`() throws {
        let client = try FrameClient(TestServer.http2())
        try client.send(.headers(1, Self.without(":authority") + [("host", "a")]))
        #expect(try client.answer(1).body == "/now")
        try client.send(.headers(3, [(":method", "CONNECT"), (":authority", "a:1")]))
        #expect(try client.answer(3).status == 200)
        try client.send(
            .headers(5, [(":method", "OPTIONS"), (":scheme", "https"), (":authority", "a"), (":path", "*")]))
        #expect(try client.answer(5).status == 200)
    }

    @Test(arguments: [("te", "Trailers"), ("x", ""), ("x", "a b\tc"), ("x", "\u{E9}"), ("content-length", "0")])
    func `unusual but valid fields are accepted`(name: String, value: String) throws {
        let client = try FrameClient(TestServer.http2())
        #expect(try client.get(1, "/now", [(name, value)]).body == "/now")
    }

    @Test func `a malformed request counts as a reset stream`() throws {
        let server = try TestServer.http2(HTTP2Limits(maxResetsPerSecond: 1))
        let client = try FrameClient(server)
        for stream: UInt32 in [1, 3, 5] { try client.send(.headers(stream, Self.without(":path"))) }
        #expect(try client.farewell()?.code == 11)
        #expect(try server.connect().get("/now").status == 200)
    }

    @Test func `a refusal of HEAD has no body`() throws {
        let client = try FrameClient(TestServer.http2())
        try client.send(.headers(1, [(":method", "HEAD")] + Self.with(":path", "/%").dropFirst()))
        let answer = try client.answer(1)
        #expect(answer.status == 400)
        #expect(answer.body.isEmpty)
    }
}
