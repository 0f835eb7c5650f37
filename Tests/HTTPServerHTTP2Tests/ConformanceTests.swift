import HTTPServer
import HTTPServerHTTP2
import Testing

@testable import HTTPServerSupport

/// What a peer must not send (RFC 9113 sections 3 to 6), and the error it gets.
struct ConformanceTests {
    /// The codes of RFC 9113 section 7.
    private static let protocolError: UInt32 = 1
    private static let streamClosed: UInt32 = 5

    @Test(arguments: ConformanceCase.all)
    func `each case has its expected outcome while others are served`(_ sent: ConformanceCase) throws {
        let server = try TestServer.http2()
        let client = try FrameClient(server)
        try client.send(sent.frames)
        switch sent.outcome {
        case .connectionError(let code): #expect(try client.farewell()?.code == code)
        case .streamError(let code):
            guard let end = try client.nextError() else {
                Issue.record("no error came")
                return
            }
            #expect(end == code)
        case .answer: #expect(try client.answer(1).status == 200)
        case .nothing: break
        }
        if !sent.endsConnection, !client.hasGoAway { #expect(try client.get(101, "/now").body == "/now") }
        #expect(try server.connect().get("/now").status == 200)
    }

    @Test func `a request on an answered stream ends the connection`() throws {
        let client = try FrameClient(TestServer.http2())
        #expect(try client.get(1, "/now").status == 200)
        #expect(try client.get(3, "/now").status == 200)
        // Control frames may be late.
        try client.send(.window(1, 1), .reset(1), .request(1, "/now"))
        #expect(try client.farewell()?.code == Self.streamClosed)
    }

    @Test func `DATA on an answered stream resets that stream alone, once`() throws {
        let client = try FrameClient(TestServer.http2())
        for stream in [1, 3, 5] as [UInt32] { #expect(try client.get(stream, "/now").status == 200) }
        try client.send(Frame(.data, 0, stream: 3, [1, 2]))
        #expect(try client.nextError() == Self.streamClosed)
        for byte in Frame(.data, 0, stream: 5, [1]).bytes { try client.client.send([byte]) }
        #expect(try client.nextError() == Self.streamClosed)
        try client.send(Frame(.data, 0, stream: 5, [1]), Frame(.data, 0, stream: 1, [1]))
        #expect(try client.get(7, "/now").status == 200)
        #expect(!client.hasGoAway)
    }

    @Test func `an empty frame that ends an answered request is accepted`() throws {
        let client = try FrameClient(TestServer.http2(HTTP2Limits(maxResetsPerSecond: 1)))
        for stream in [1, 3, 5, 7, 9] as [UInt32] {
            try client.send(.headers(stream, RequestFields.get("/now"), Frame.endsHeaders))
            #expect(try client.answer(stream).status == 200)
            try client.send(Frame(.data, Frame.endsStream, stream: stream), .ping("12345678"))
            while let frame = try client.next(), frame.kind != .ping { #expect(frame.kind != .resetStream) }
        }
        #expect(try client.get(11, "/now").status == 200)
    }

    static let late = [Frame(.data, 1, stream: 1, [1]), .request(1, "/now")]

    // The peer may not have seen the reset yet.
    @Test(arguments: late)
    func `frames on a stream that the server reset are ignored`(frame: Frame) throws {
        let client = try FrameClient(TestServer.http2())
        try client.send(.headers(1, [(":method", "GET")], Frame.endsHeaders))
        #expect(try client.answer(1).resetCode == Self.protocolError)
        try client.send(frame)
        #expect(try client.get(3, "/now").status == 200)
    }

    @Test func `requests before a GOAWAY are answered, whatever its code`() throws {
        let client = try FrameClient(TestServer.http2())
        try client.send(.request(1, "/now"), Frame(.goAway, 0, stream: 0, [0, 0, 0, 0, 0, 0, 0, 0xFF, 7]))
        #expect(try client.answer(1).status == 200)
    }

    @Test func `unknown frames and settings are ignored, and a ping is echoed`() throws {
        let client = try FrameClient(TestServer.http2())
        try client.send(
            Frame(type: 0x63, 0xFF, stream: 1, [1, 2, 3]), .settings([(0x99, 1)]),
            Frame(.priority, 0, stream: 9, [0, 0, 0, 3, 1]), .ping("12345678"))
        #expect(try client.next(.ping) == Frame(.ping, Frame.acknowledges, stream: 0, Array("12345678".utf8)))
        #expect(try client.get(1, "/now").status == 200)
    }

    @Test func `the server sends its settings first and acknowledges the client's`() throws {
        let client = try FrameClient(TestServer.http2())
        let first = try #require(try client.next())
        #expect(first.kind == .settings)
        #expect(first == .settings([(3, 100), (4, 65_535), (6, 32_768), (9, 1)]))
        #expect(try client.next() == Frame(.settings, Frame.acknowledges))
    }

    @Test func `excess streams are refused; once settings are acknowledged the connection ends`() throws {
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

    // MARK: Start of a connection

    @Test func `a preface without settings is a protocol error`() throws {
        let server = try TestServer.http2()
        let client = try FrameClient(server, sendsPreface: false)
        try client.client.send(FrameClient.preface + Frame.ping().bytes)
        #expect(try client.farewell()?.code == Self.protocolError)
    }

    @Test func `the preface selects HTTP/2 byte by byte; other bytes select HTTP/1.1`() throws {
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

    @Test func `without HTTP/2 the preface is an ordinary request`() throws {
        let streams = try HTTP2().streams
        for server in [try TestServer(), try TestServer("127.0.0.1:0", configure: { $0.streams = streams })] {
            let client = try server.connect()
            try client.send(FrameClient.preface)
            #expect(try client.answer().status == 505)
        }
    }

    @Test func `a PROXY header before the preface announces the client`() throws {
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
