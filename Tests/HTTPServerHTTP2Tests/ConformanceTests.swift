import HTTPServer
import HTTPServerHTTP2
import Testing

@testable import HTTPServerTests

/// What the peer of a connection may not do (RFC 9113 sections 3 to 6), and how each is told so.
struct ConformanceTests {
    /// The codes of RFC 9113 section 7.
    private static let protocolError: UInt32 = 1
    private static let flowControlError: UInt32 = 3
    private static let streamClosed: UInt32 = 5
    private static let frameSizeError: UInt32 = 6
    private static let compressionError: UInt32 = 9

    static let violations: [([Frame], UInt32)] = [
        // Frames (section 4).
        ([Frame(.data, 0, stream: 1, .init(repeating: 0, count: 16_385))], frameSizeError),
        ([Frame(.headers, 5, stream: 1, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF])], compressionError),
        ([Frame(.headers, 5, stream: 1, [0xBE])], compressionError),
        ([Frame(.headers, 1, stream: 1, []), .ping()], protocolError),
        ([Frame(.headers, 1, stream: 1, []), .request(3, "/now")], protocolError),
        ([Frame(.headers, 1, stream: 1, []), Frame(type: 0x63, stream: 1)], protocolError),
        // Streams (section 5).
        ([.request(0, "/now")], protocolError), ([.request(2, "/now")], protocolError),
        ([Frame(.data, 1, stream: 1, [1])], protocolError), ([.reset(1)], protocolError),
        ([.window(1, 1)], protocolError),
        ([.request(1, "/late"), Frame(.data, 1, stream: 1, [1])], streamClosed),
        // Each kind of frame (section 6).
        ([Frame(.data, 0, stream: 0, [1])], protocolError),
        ([.headers(1, RequestFields.get("/late"), 4), Frame(.data, 8, stream: 1, [9, 1])], protocolError),
        ([Frame(.headers, 0x0C, stream: 1, [9, 0x82])], protocolError),
        ([Frame(.priority, 0, stream: 0, .init(repeating: 0, count: 5))], protocolError),
        ([Frame(.priority, 0, stream: 1, [0, 0, 0, 0])], frameSizeError),
        ([Frame(.resetStream, 0, stream: 0, [0, 0, 0, 0])], protocolError),
        ([.request(1, "/late"), Frame(.resetStream, 0, stream: 1, [0, 0, 0])], frameSizeError),
        ([Frame(.settings, 0, stream: 1)], protocolError), ([Frame(.settings, 1, stream: 0, [0])], frameSizeError),
        ([Frame(.settings, 0, stream: 0, [0, 1, 0, 0, 0])], frameSizeError),
        ([.settings([(2, 2)])], protocolError), ([.settings([(4, 1 << 31)])], flowControlError),
        ([.settings([(5, 16_383)])], protocolError), ([.settings([(5, 1 << 24)])], protocolError),
        ([Frame(.pushPromise, 4, stream: 1, [0, 0, 0, 2])], protocolError),
        ([Frame(.ping, 0, stream: 0, [1])], frameSizeError),
        ([Frame(.ping, 0, stream: 1, Frame.ping().payload)], protocolError),
        ([Frame(.goAway, 0, stream: 1, .init(repeating: 0, count: 8))], protocolError),
        ([Frame(.goAway, 0, stream: 0, [0])], frameSizeError),
        ([.window(0, 0)], protocolError), ([.window(0, (1 << 31) - 1)], flowControlError),
        ([Frame(.windowUpdate, 0, stream: 0, [1])], frameSizeError),
        ([Frame(.continuation, 4, stream: 1)], protocolError),
        ([.request(1, "/late"), Frame(.continuation, 4, stream: 1)], protocolError),
    ]

    @Test(arguments: violations)
    func `a violation of the protocol ends the connection with its code`(frames: [Frame], code: UInt32) throws {
        let server = try TestServer.http2()
        let client = try FrameClient(server)
        try client.send(frames)
        #expect(try client.farewell()?.code == code)
        #expect(try server.connect().get("/now").status == 200)
    }

    static let streamViolations: [(Frame, UInt32)] = [
        (.window(1, 0), protocolError), (.window(1, (1 << 31) - 1), flowControlError),
        (.headers(1, [(":path", "/x")]), protocolError), (.headers(1, [("x", "y")], Frame.endsHeaders), protocolError),
    ]

    @Test(arguments: streamViolations)
    func `what is wrong with one stream ends it, or the connection, with its code`(frame: Frame, code: UInt32) throws {
        let client = try FrameClient(TestServer.http2())
        try client.send(.headers(1, RequestFields.get("/late"), Frame.endsHeaders), frame)
        while let next = try client.next() {
            if next.kind == .resetStream {
                #expect(next == .reset(1, code))
                return
            }
            if next.kind == .goAway {
                #expect(next.number(at: 4) == code)
                return
            }
        }
    }

    @Test func `what is unknown is passed over, and a ping echoed`() throws {
        let client = try FrameClient(TestServer.http2())
        try client.send(
            Frame(type: 0x63, 0xFF, stream: 1, [1, 2, 3]), .settings([(0x99, 1)]),
            Frame(.priority, 0, stream: 9, [0, 0, 0, 3, 1]), .ping("12345678"))
        #expect(try client.next(.ping) == Frame(.ping, Frame.acknowledges, stream: 0, Array("12345678".utf8)))
        #expect(try client.get(1, "/now").status == 200)
    }

    @Test func `settings are acknowledged, and the server's come first`() throws {
        let client = try FrameClient(TestServer.http2())
        let first = try #require(try client.next())
        #expect(first.kind == .settings)
        #expect(first == .settings([(3, 100), (4, 65_535), (6, 32_768), (9, 1)]))
        #expect(try client.next() == Frame(.settings, Frame.acknowledges))
    }

    @Test func `a stream beyond the concurrent ones is refused, and who knew of the limit is left`() throws {
        let server = try TestServer.http2(HTTP2Limits(maxConcurrentStreams: 2))
        let client = try FrameClient(server)
        try client.send(.request(1, "/late"), .request(3, "/late"), .request(5, "/now"))
        #expect(try client.answer(5).resetCode == 7)
        try #require(server.promises.next()).keep("done")
        #expect(try client.answer(1).body == "done")
        #expect(try client.get(7, "/now").body == "/now")
        try client.send(Frame(.settings, Frame.acknowledges), .request(9, "/late"), .request(11, "/now"))
        #expect(try client.farewell()?.code == Self.protocolError)
    }

    // MARK: Beginnings

    @Test func `who says the preface and no settings is told`() throws {
        let server = try TestServer.http2()
        let client = try FrameClient(server, sendsPreface: false)
        try client.client.send(FrameClient.preface + Frame.ping().bytes)
        #expect(try client.farewell()?.code == Self.protocolError)
    }

    @Test func `the preface is known byte by byte, and HTTP 1.1 is spoken to whoever says anything else`() throws {
        let server = try TestServer.http2()
        let slow = try FrameClient(server, sendsPreface: false)
        for byte in FrameClient.preface + Frame.settings().bytes { try slow.client.send([byte]) }
        #expect(try slow.get(1, "/now").body == "/now")
        for text in ["PUT", "P", "PRI", "GET", "PRI * HTTP/2.0\r\n\r\nS"] {
            let client = try server.connect()
            try client.send(text)
            try client.send("\(text.hasPrefix("PRI") ? "X" : "") /now HTTP/1.1\r\nHost: a\r\n\r\n")
            let status = try client.answer().status
            #expect(text == "PUT" || text == "GET" ? status == 200 : status >= 400)
        }
        #expect(try server.connect().get("/now").body == "/now")
    }

    @Test func `where it is not configured, the preface is a request like any other`() throws {
        let streams = try HTTP2().streams
        for server in [try TestServer(), try TestServer("127.0.0.1:0", configure: { $0.streams = streams })] {
            let client = try server.connect()
            try client.send(FrameClient.preface)
            #expect(try client.answer().status == 505)
        }
    }

    @Test func `a proxy says before the preface whom it speaks for`() throws {
        let ranges = [try AddressRange("127.0.0.1")]
        let server = try TestServer.http2 { $0.proxyProtocolFrom = ranges }
        let (together, apart) = try (
            FrameClient(server, sendsPreface: false), FrameClient(server, sendsPreface: false)
        )
        let first = FrameClient.preface + Frame.settings().bytes + Frame.request(1, "/peer").bytes
        try together.client.send(ProxyHeaderBytes().bytes + first)
        #expect(try together.answer(1).body == "198.51.100.9")
        try apart.client.send(ProxyHeaderBytes().bytes)
        try apart.client.send(first)
        #expect(try apart.answer(1).body == "198.51.100.9")
        let plain = try server.connect()
        try plain.send(ProxyHeaderBytes().bytes + Array("GET /peer HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
        #expect(try plain.answer().body == "198.51.100.9")
    }
}
