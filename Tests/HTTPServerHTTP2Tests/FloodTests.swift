import Glibc
import HTTPServerHTTP2
import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// Clients that cause work without requests: each gets ENHANCE_YOUR_CALM, and others are served.
struct FloodTests {
    private static let enhanceYourCalm: UInt32 = 11

    static let floods: [(String, [Frame], @Sendable (Int) -> [Frame])] = [
        ("PING", [], { _ in [.ping()] }),
        ("PING's echo", [], { _ in [Frame(.ping, 1, stream: 0, Frame.ping().payload)] }),
        ("SETTINGS", [], { _ in [.settings([(4, 65_535)])] }),
        ("PRIORITY", [], { _ in [Frame(.priority, 0, stream: 1, [0, 0, 0, 3, 1])] }),
        ("unknown frames", [], { _ in [Frame(type: 0x63, stream: 0, .init(repeating: 0, count: 100))] }),
        ("WINDOW_UPDATE", [], { _ in [.window(0, 1)] }),
        ("WINDOW_UPDATE of a stream", [.request(1, "/late")], { _ in [.window(1, 1)] }),
        ("empty DATA", [.headers(1, RequestFields.get("/late"), 4)], { _ in [Frame(.data, 0, stream: 1)] }),
        ("padding alone", [.headers(1, RequestFields.get("/late"), 4)], { _ in [Frame(.data, 8, stream: 1, [0])] }),
        ("CONTINUATION", [Frame(.headers, 1, stream: 1)], { _ in [Frame(.continuation, 0, stream: 1)] }),
        ("rapid reset", [], { [.request(UInt32($0 * 2 + 1), "/late"), .reset(UInt32($0 * 2 + 1))] }),
        (
            "rapid reset of what is answered", [],
            { [.request(UInt32($0 * 2 + 1), "/now"), .reset(UInt32($0 * 2 + 1))] }
        ),
        ("MadeYouReset", [], { [.request(UInt32($0 * 2 + 1), "/late"), .window(UInt32($0 * 2 + 1), (1 << 31) - 1)] }),
        ("malformed requests", [], { [.headers(UInt32($0 * 2 + 1), [(":method", "GET")])] }),
    ]

    @Test(arguments: floods.indices)
    func `a flood ends its connection while others are served`(index: Int) throws {
        let (name, first, flood) = Self.floods[index]
        let server = try TestServer.http2()
        let (client, other) = try (FrameClient(server), FrameClient(server))
        try client.send(first)
        Self.send(flood, to: client)
        #expect(try other.get(1, "/now").body == "/now")
        try Self.expectFarewell(of: client, name)
        guard case .clientRefused(let reason) = server.records.notices.first else {
            Issue.record("\(name): there was no notice")
            return
        }
        #expect(reason.hasPrefix("HTTP/2: "))
    }

    @Test func `requests whose fields arrive in many pieces are not a flood`() throws {
        let server = try TestServer.http2()
        let (client, other) = try (FrameClient(server), server.connect())
        client.client.sendWithoutDelay()
        let token = ("authorization", "Bearer " + String(repeating: "a.", count: 6000))
        for index in 0..<40 as Range<UInt32> {
            let request = Frame.headers(index * 2 + 1, RequestFields.get("/now") + [token], 5).bytes
            for start in stride(from: 0, to: request.count, by: 1400) {
                try client.client.send(Array(request[start..<min(request.count, start + 1400)]))
                // The same loop answers, and has read the piece before.
                #expect(try other.get("/now").status == 200)
            }
            #expect(try client.answer(index * 2 + 1).status == 200)
        }
    }

    @Test func `eight CONTINUATION frames sent byte by byte are not a flood`() throws {
        let server = try TestServer.http2()
        let (client, other) = try (FrameClient(server), server.connect())
        client.client.sendWithoutDelay()
        let fields = Frame.headers(1, RequestFields.get("/now"), 5)
        let rest = (1...8).map { Frame(.continuation, $0 == 8 ? 4 : 0, stream: 1) }
        for byte in ([Frame(.headers, 1, stream: 1, fields.payload)] + rest).flatMap(\.bytes) {
            try client.client.send([byte])
            // The same loop answers, and has read the byte before.
            #expect(try other.get("/now").status == 200)
        }
        #expect(try client.answer(1).status == 200)
    }

    @Test func `ignored HEADERS below a reset stream are a flood`() throws {
        let client = try FrameClient(TestServer.http2())
        try client.send(.headers(1_000_001, [(":method", "GET")]))
        #expect(try client.nextError() == 1)
        Self.send({ [.request(UInt32($0 * 2 + 1), "/now")] }, to: client)
        try Self.expectFarewell(of: client, "HEADERS below a stream that was reset")
    }

    @Test func `ignored HEADERS after a drain's last stream are a flood`() throws {
        let client = try FrameClient(TestServer.http2())
        let promise = try client.drainWithPendingAnswer()
        try client.echoPing()
        #expect(try client.next(.goAway)?.number(at: 0) == 1)
        Self.send({ [.request(UInt32($0 * 2 + 3), "/now")] }, to: client)
        try Self.expectFarewell(of: client, "HEADERS after the last stream")
        promise.keep("unused")
    }

    @Test func `fields that expand a thousandfold when decoded end the connection`() throws {
        let server = try TestServer.http2()
        let client = try FrameClient(server)
        // A field of 4,000 bytes is indexed, and then repeated by one byte each time (RFC 7541 section 6.1).
        let long = [0x40, 1, UInt8(ascii: "x"), 127, 0xA1, 0x1E] + [UInt8](repeating: UInt8(ascii: "y"), count: 4000)
        let block = RequestFields.encoded(RequestFields.get("/now")) + long + [UInt8](repeating: 0xBE, count: 10_000)
        try client.send(Frame(.headers, 5, stream: 1, block))
        try Self.expectFarewell(of: client, "fields")
        #expect(try FrameClient(server).get(1, "/now").body == "/now")
    }

    @Test func `a normal client is never treated as a flood`() throws {
        let client = try FrameClient(TestServer.http2())
        for number in UInt32(0)..<3000 {
            let stream = number * 2 + 1
            let frames = [Frame.request(stream, "/now"), .window(0, 4), .ping()]
            try client.send(frames)
            #expect(try client.answer(stream).body == "/now")
        }
    }

    @Test func `memory stays bounded for a client that never reads`() throws {
        let server = try TestServer.http2()
        let client = try FrameClient(server, settings: [(4, 1 << 30)], receiveBuffer: 4096)
        try client.send([.window(0, 1 << 30)] + (0..<100).map { .request($0 * 2 + 1, "/large") })
        let other = try FrameClient(server)
        let before = try Self.residentBytes()
        for number in UInt32(0)..<1000 { #expect(try other.get(number * 2 + 1, "/now").body == "/now") }
        // The client requested 800 MB.
        #expect(try Self.residentBytes() < before + 64 << 20)
    }

    /// Sends 4,000 rounds; a client that does not read notices the end when a write fails.
    private static func send(_ flood: (Int) -> [Frame], to client: FrameClient) {
        for number in 0..<200 { try? client.send((0..<20).flatMap { flood(number * 20 + $0) }) }
    }

    private static func expectFarewell(of client: FrameClient, _ flood: String) throws {
        let farewell = try #require(try client.farewell(), "\(flood): the connection ended without GOAWAY")
        #expect(farewell.code == enhanceYourCalm && !farewell.reason.isEmpty, "\(flood): \(farewell)")
    }

    private static func residentBytes() throws -> Int {
        let file = try #require(fopen("/proc/self/statm", "r"))
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        fgets(&line, Int32(line.count), file)
        let pages = String(decoding: line.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(separator: " ")
        return (Int(pages[1]) ?? 0) * 4096
    }
}
