import CNGHTTP2
import HTTPServerHTTP2
import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// A client that sends and receives single frames.
final class FrameClient {
    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    /// An answer, or the reset that came instead.
    struct Answer {
        var fields: [(name: String, value: String)] = []
        var body = ""
        var resetCode: UInt32?

        func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }

        var status: Int? { field(":status").flatMap { Int($0) } }
    }

    let client: TestClient
    /// Kept alive as long as the client.
    private let server: TestServer
    private let inflater: OpaquePointer?
    private var answers: [UInt32: Answer] = [:]
    private var ended: [UInt32] = []
    private var lastGoAway: Frame?

    /// Connects and sends the preface and the settings.
    init(
        _ server: TestServer, settings: [(UInt16, UInt32)] = [], sendsPreface: Bool = true, receiveBuffer: Int32? = nil
    ) throws {
        self.server = server
        client = try TestClient(server.address, receiveBuffer: receiveBuffer)
        var inflater: OpaquePointer?
        nghttp2_hd_inflate_new(&inflater)
        self.inflater = inflater
        if sendsPreface { try client.send(Self.preface + Frame.settings(settings).bytes) }
    }

    deinit { nghttp2_hd_inflate_del(inflater) }

    func send(_ frames: Frame...) throws { try send(frames) }

    func send(_ frames: [Frame]) throws { try client.send(frames.flatMap(\.bytes)) }

    /// The next frame; nil if the connection has ended.
    func next() throws -> Frame? {
        let head = try client.bytes(9)
        guard head.count == 9 else { return nil }
        let length = head.prefix(3).reduce(0) { $0 << 8 | Int($1) }
        let stream = head[5...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return Frame(type: head[3], head[4], stream: stream, try client.bytes(length))
    }

    /// The next frame of a kind; nil if the connection ends first.
    func next(_ kind: Frame.Kind) throws -> Frame? {
        while let frame = try next() {
            take(frame)
            if frame.kind == kind { return frame }
        }
        return nil
    }

    /// Sends a request with a late answer on stream 1, then drains the server. Returns the promise of the answer.
    func drainWithPendingAnswer() throws -> Promise {
        try send(.request(1, "/late"))
        let promise = try #require(server.promises.next())
        server.server.drain()
        return promise
    }

    /// Acknowledges the next PING, after sending these frames.
    func echoPing(after frames: Frame...) throws {
        let ping = try #require(try next(.ping))
        try send(frames + [Frame(.ping, Frame.acknowledges, stream: 0, ping.payload)])
    }

    /// The code of the next reset or GOAWAY; nil if the connection ends without one.
    func nextError() throws -> UInt32? {
        while let frame = try next() {
            take(frame)
            if frame.kind == .resetStream { return frame.number(at: 0) }
            if frame.kind == .goAway { return frame.number(at: 4) }
        }
        return nil
    }

    /// Whether the server has sent GOAWAY.
    var hasGoAway: Bool { lastGoAway != nil }

    /// The whole answer of a stream; frames of other streams may come between.
    func answer(_ stream: UInt32) throws -> Answer {
        while !ended.contains(stream) {
            guard let frame = try next() else {
                throw TestClient.Failure(description: "the connection ended before stream \(stream) was answered")
            }
            take(frame)
        }
        return answers[stream, default: Answer()]
    }

    func get(_ stream: UInt32, _ path: String, _ fields: [(String, String)] = []) throws -> Answer {
        try send(.request(stream, path, fields))
        return try answer(stream)
    }

    /// The streams that have ended, in their order.
    var order: [UInt32] { ended }

    /// Reads to the end of the connection: the last GOAWAY, if one came.
    func farewell() throws -> (code: UInt32, lastStream: UInt32, reason: String)? {
        while let frame = try next() { take(frame) }
        return lastGoAway.map {
            ($0.number(at: 4), $0.number(at: 0), String(decoding: $0.payload.dropFirst(8), as: UTF8.self))
        }
    }

    private func take(_ frame: Frame) {
        switch frame.kind {
        case .headers: answers[frame.stream, default: Answer()].fields += decoded(frame.payload)
        case .data: answers[frame.stream, default: Answer()].body += String(decoding: frame.payload, as: UTF8.self)
        case .resetStream: answers[frame.stream, default: Answer()].resetCode = frame.number(at: 0)
        case .goAway: lastGoAway = frame
        default: return
        }
        if frame.endsStream || frame.kind == .resetStream { ended.append(frame.stream) }
    }

    private func decoded(_ block: [UInt8]) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        var rest = block[...]
        var flags: Int32 = 0
        while flags & Int32(NGHTTP2_HD_INFLATE_FINAL.rawValue) == 0 {
            var field = nghttp2_nv()
            flags = 0
            let count = rest.withUnsafeBufferPointer {
                nghttp2_hd_inflate_hd2(inflater, &field, &flags, $0.baseAddress, $0.count, 1)
            }
            guard count >= 0 else { return fields }
            rest = rest.dropFirst(count)
            guard flags & Int32(NGHTTP2_HD_INFLATE_EMIT.rawValue) != 0 else { continue }
            let name = UnsafeBufferPointer(start: field.name, count: field.namelen)
            let value = UnsafeBufferPointer(start: field.value, count: field.valuelen)
            fields.append((String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
        }
        nghttp2_hd_inflate_end_headers(inflater)
        return fields
    }
}

extension TestServer {
    /// A server that speaks HTTP/2 to clients that start with its preface.
    static func http2(
        _ limits: HTTP2Limits = HTTP2Limits(), configure: (inout ServerSettings) -> Void = { _ in }
    ) throws -> TestServer {
        let streams = try HTTP2(limits).streams
        return try TestServer("127.0.0.1:0", recognisingPreface: true) {
            $0.streams = streams
            configure(&$0)
        }
    }
}
