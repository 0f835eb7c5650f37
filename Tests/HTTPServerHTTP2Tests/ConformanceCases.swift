import Testing

/// What a peer may send, and the required outcome (RFC 9113, RFC 7541).
struct ConformanceCase: Sendable, CustomTestStringConvertible {
    enum Outcome: Sendable {
        /// GOAWAY with this code.
        case connectionError(UInt32)
        /// The first stream is reset with this code; the server may end the connection with the same code instead.
        case streamError(UInt32)
        /// The first stream is answered, and other streams continue.
        case answer
        /// It has no effect, and streams continue.
        case nothing
    }

    let name: String
    let frames: [Frame]
    let outcome: Outcome

    init(_ name: String, _ outcome: Outcome, _ frames: Frame...) {
        (self.name, self.outcome, self.frames) = (name, outcome, frames)
    }

    var testDescription: String { name }

    var endsConnection: Bool {
        if case .connectionError = outcome { true } else { false }
    }

    static let all = frames + streams + kinds + fields + compression
}

/// The codes of RFC 9113 section 7.
private let (protocolError, flowControlError, streamClosed): (UInt32, UInt32, UInt32) = (1, 3, 5)
private let (frameSizeError, compressionError): (UInt32, UInt32) = (6, 9)
private let now = RequestFields.get("/now")
private let get = RequestFields.get("/late")
private let post = [(":method", "POST")] + get.dropFirst()
private let priority: [UInt8] = [0, 0, 0, 3, 1]

/// A request that is not answered yet, and whose body may follow.
private let open = Frame.headers(1, post, Frame.endsHeaders)
private let waiting = Frame.request(1, "/late")

extension Frame {
    fileprivate static func block(_ stream: UInt32, _ bytes: [UInt8]) -> Frame {
        Frame(.headers, endsStream | endsHeaders, stream: stream, bytes)
    }

    fileprivate static func zeros(_ kind: Kind, _ stream: UInt32, _ count: Int, flags: UInt8 = 0) -> Frame {
        Frame(kind, flags, stream: stream, .init(repeating: 0, count: count))
    }
}

extension ConformanceCase {
    // MARK: Frames (RFC 9113 section 4)

    private static let frames = [
        Self("a frame of an unknown kind", .nothing, Frame(type: 0x63, 0xFF, stream: 1, [1, 2, 3])),
        Self("a frame of an unknown kind on stream 0", .nothing, Frame(type: 0x16, 0xFF, stream: 0, [1])),
        Self("flags that are not defined", .answer, .headers(1, now, 0xD2 | 5)),
        Self("the reserved bit of a stream", .answer, .headers(0x8000_0001, now)),
        Self("DATA of the greatest length", .nothing, open, .zeros(.data, 1, 16_384)),
        Self("DATA beyond the greatest length", .connectionError(frameSizeError), open, .zeros(.data, 1, 16_385)),
        Self("HEADERS beyond the greatest length", .connectionError(frameSizeError), .zeros(.headers, 1, 16_385)),
        Self("SETTINGS beyond the greatest length", .connectionError(frameSizeError), .zeros(.settings, 0, 16_386)),
        Self("PING within fields", .connectionError(protocolError), Frame(.headers, 1, stream: 1), .ping()),
        Self(
            "fields within others", .connectionError(protocolError), Frame(.headers, 1, stream: 1), .request(3, "/now")),
        Self(
            "an unknown frame within fields", .connectionError(protocolError), Frame(.headers, 1, stream: 1),
            Frame(type: 0x63, stream: 1)),
        Self(
            "PRIORITY within fields", .connectionError(protocolError), Frame(.headers, 1, stream: 1),
            Frame(.priority, 0, stream: 1, priority)),
    ]

    // MARK: Streams (section 5)

    private static let streams = [
        Self("a request on stream 0", .connectionError(protocolError), .request(0, "/now")),
        Self("a request on a server's stream", .connectionError(protocolError), .request(2, "/now")),
        Self("DATA on an idle stream", .connectionError(protocolError), Frame(.data, 1, stream: 1, [1])),
        Self("RST_STREAM of an idle stream", .connectionError(protocolError), .reset(1)),
        Self("WINDOW_UPDATE of an idle stream", .connectionError(protocolError), .window(1, 1)),
        Self("CONTINUATION on an idle stream", .connectionError(protocolError), Frame(.continuation, 4, stream: 1)),
        Self("PRIORITY of an idle stream", .nothing, Frame(.priority, 0, stream: 9, priority)),
        Self("DATA after the end", .streamError(streamClosed), waiting, Frame(.data, 1, stream: 1, [1])),
        Self("HEADERS after the end", .streamError(streamClosed), waiting, waiting),
        Self(
            "CONTINUATION after the end", .connectionError(protocolError), waiting, Frame(.continuation, 4, stream: 1)),
        Self("WINDOW_UPDATE after the end", .nothing, waiting, .window(1, 1)),
        Self("PRIORITY after the end", .nothing, waiting, Frame(.priority, 0, stream: 1, priority)),
        Self("RST_STREAM after the end", .nothing, waiting, .reset(1), .window(1, 1)),
        Self("DATA after RST_STREAM", .streamError(streamClosed), open, .reset(1), Frame(.data, 1, stream: 1, [1])),
        Self("HEADERS after RST_STREAM", .streamError(streamClosed), open, .reset(1), waiting),
        Self(
            "CONTINUATION after RST_STREAM", .connectionError(protocolError), open, .reset(1),
            Frame(.continuation, 4, stream: 1)),
        Self("RST_STREAM twice", .nothing, open, .reset(1), .reset(1)),
        Self("PRIORITY after RST_STREAM", .nothing, open, .reset(1), Frame(.priority, 0, stream: 1, priority)),
        Self("streams that do not ascend", .connectionError(streamClosed), .request(5, "/now"), .request(3, "/now")),
        Self("streams that leave some out", .answer, .request(1, "/now"), .request(7, "/now")),
    ]

    // MARK: Each kind of frame (section 6)

    private static let kinds = [
        Self("DATA on stream 0", .connectionError(protocolError), Frame(.data, 0, stream: 0, [1])),
        Self(
            "DATA padded beyond its length", .connectionError(protocolError), open, Frame(.data, 8, stream: 1, [9, 1])),
        Self("DATA padded with all of its length", .nothing, open, Frame(.data, 8, stream: 1, [1, 0])),
        Self(
            "HEADERS padded beyond their length", .connectionError(protocolError),
            Frame(.headers, 0x0D, stream: 1, [9, 0x82])),
        Self(
            "HEADERS padded", .answer,
            Frame(.headers, 0x0D, stream: 1, [2] + RequestFields.encoded(now) + [0, 0])),
        Self(
            "HEADERS with a priority", .answer,
            Frame(.headers, 0x25, stream: 1, priority + RequestFields.encoded(now))),
        Self(
            "HEADERS too short for their priority", .connectionError(frameSizeError),
            Frame(.headers, 0x25, stream: 1, [0, 0, 0])),
        Self("PRIORITY on stream 0", .connectionError(protocolError), Frame(.priority, 0, stream: 0, priority)),
        Self("PRIORITY of another length", .connectionError(frameSizeError), .zeros(.priority, 1, 4)),
        // RFC 9113 section 5.3.2 lets a server that does not use priorities ignore them.
        Self("PRIORITY of a stream below itself", .nothing, Frame(.priority, 0, stream: 1, [0, 0, 0, 1, 1])),
        Self("RST_STREAM on stream 0", .connectionError(protocolError), .zeros(.resetStream, 0, 4)),
        Self("RST_STREAM of another length", .connectionError(frameSizeError), open, .zeros(.resetStream, 1, 3)),
        Self("RST_STREAM with an unknown code", .nothing, open, .reset(1, 0xFF)),
        Self("SETTINGS on a stream", .connectionError(protocolError), Frame(.settings, 0, stream: 1)),
        Self("an acknowledgement with SETTINGS", .connectionError(frameSizeError), .zeros(.settings, 0, 6, flags: 1)),
        Self("SETTINGS with an incomplete setting", .connectionError(frameSizeError), .zeros(.settings, 0, 5)),
        Self("SETTINGS that are unknown", .nothing, .settings([(0x99, 1), (0xFFFF, 0xFFFF_FFFF)])),
        Self("SETTINGS without settings", .nothing, .settings()),
        Self("ENABLE_PUSH of 2", .connectionError(protocolError), .settings([(2, 2)])),
        Self("ENABLE_PUSH of 1", .nothing, .settings([(2, 1)])),
        Self("MAX_CONCURRENT_STREAMS of 0", .answer, .settings([(3, 0)]), .request(1, "/now")),
        Self("a window above the greatest", .connectionError(flowControlError), .settings([(4, 1 << 31)])),
        Self("a window of the greatest", .answer, .settings([(4, (1 << 31) - 1)]), .request(1, "/now")),
        Self("a window set twice", .answer, .settings([(4, 0), (4, 100)]), .request(1, "/now")),
        Self("a frame size below the least", .connectionError(protocolError), .settings([(5, 16_383)])),
        Self("a frame size above the greatest", .connectionError(protocolError), .settings([(5, 1 << 24)])),
        Self("a table of 0 bytes", .answer, .settings([(1, 0)]), .request(1, "/now")),
        Self("a field list of 0 bytes", .answer, .settings([(6, 0)]), .request(1, "/now")),
        Self(
            "PUSH_PROMISE", .connectionError(protocolError), waiting, Frame(.pushPromise, 4, stream: 1, [0, 0, 0, 2])),
        Self("PING of another length", .connectionError(frameSizeError), Frame(.ping, 0, stream: 0, [1])),
        Self("PING on a stream", .connectionError(protocolError), .zeros(.ping, 1, 8)),
        Self("an acknowledgement without a PING", .nothing, .zeros(.ping, 0, 8, flags: 1)),
        Self("GOAWAY on a stream", .connectionError(protocolError), .zeros(.goAway, 1, 8)),
        Self("GOAWAY of another length", .connectionError(frameSizeError), Frame(.goAway, 0, stream: 0, [0])),
        Self("WINDOW_UPDATE of 0", .connectionError(protocolError), .window(0, 0)),
        Self("WINDOW_UPDATE of a stream of 0", .streamError(protocolError), waiting, .window(1, 0)),
        Self("WINDOW_UPDATE of another length", .connectionError(frameSizeError), .zeros(.windowUpdate, 0, 3)),
        Self("a window that overflows", .connectionError(flowControlError), .window(0, (1 << 31) - 1)),
        Self("a stream's window that overflows", .streamError(flowControlError), waiting, .window(1, (1 << 31) - 1)),
        Self(
            "a stream's window that SETTINGS overflow", .streamError(flowControlError), .settings([(4, 1)]),
            waiting,
            .window(1, (1 << 31) - 2), .settings([(4, 65_535)])),
        Self("CONTINUATION on stream 0", .connectionError(protocolError), Frame(.continuation, 4, stream: 0)),
        Self("CONTINUATION after the last", .connectionError(protocolError), open, Frame(.continuation, 4, stream: 1)),
        Self(
            "CONTINUATION of another stream", .connectionError(protocolError), Frame(.headers, 1, stream: 1),
            Frame(.continuation, 4, stream: 3)),
        Self(
            "fields in three frames", .answer, Frame(.headers, 1, stream: 1, RequestFields.encoded([now[0]])),
            Frame(.continuation, 0, stream: 1, RequestFields.encoded([now[1], now[2]])),
            Frame(.continuation, 4, stream: 1, RequestFields.encoded([now[3]]))),
    ]

    // MARK: Messages (section 8)

    private static let fields = [
        Self("trailers", .nothing, open, Frame(.data, 0, stream: 1, [1]), .headers(1, [("x", "y")])),
        Self("trailers that do not end", .streamError(protocolError), open, .headers(1, [("x", "y")], 4)),
        Self("a pseudo-field in trailers", .streamError(protocolError), open, .headers(1, [(":path", "/x")])),
        Self("an upper-case field in trailers", .streamError(protocolError), open, .headers(1, [("X", "y")])),
        Self("a connection's field in trailers", .streamError(protocolError), open, .headers(1, [("upgrade", "y")])),
        Self("a control character in trailers", .streamError(protocolError), open, .headers(1, [("x", "a\0b")])),
        Self("a blank at the end of a trailer", .streamError(protocolError), open, .headers(1, [("x", "y ")])),
        Self("a field without a name in trailers", .streamError(protocolError), open, .headers(1, [("", "y")])),
        Self(
            "trailers after a body shorter than its content-length", .streamError(protocolError),
            .headers(1, post + [("content-length", "3")], Frame.endsHeaders), Frame(.data, 0, stream: 1, [1, 2]),
            .headers(1, [("x", "y")])),
        Self(
            "trailers after a body as long as its content-length", .nothing,
            .headers(1, post + [("content-length", "2")], Frame.endsHeaders), Frame(.data, 0, stream: 1, [1, 2]),
            .headers(1, [("x", "y")])),
        Self(
            "a body padded to more than its content-length", .nothing,
            .headers(1, post + [("content-length", "2")], Frame.endsHeaders),
            Frame(.data, 9, stream: 1, [3, 1, 2, 0, 0, 0])),
        Self(
            "no body where one was announced", .streamError(protocolError),
            .headers(1, post + [("content-length", "2")])),
        Self(
            "a body shorter than its content-length", .streamError(protocolError),
            .headers(1, post + [("content-length", "3")], Frame.endsHeaders), Frame(.data, 1, stream: 1, [1, 2])),
        Self(
            "a body longer than its content-length", .streamError(protocolError),
            .headers(1, post + [("content-length", "1")], Frame.endsHeaders), Frame(.data, 1, stream: 1, [1, 2])),
        Self(
            "a body in parts longer than its content-length", .streamError(protocolError),
            .headers(1, post + [("content-length", "3")], Frame.endsHeaders), Frame(.data, 0, stream: 1, [1, 2]),
            Frame(.data, 1, stream: 1, [1, 2])),
        Self("te: trailers", .answer, .headers(1, now + [("te", "trailers")])),
    ]

    // MARK: Compression (RFC 7541)

    /// GET and http from the static table, and an authority that is added to the dynamic table.
    private static let indexed: [UInt8] = [0x82, 0x86, 0x41, 1, UInt8(ascii: "a")]
    private static let path: [UInt8] = [4] + "/now".utf8
    private static let name: [UInt8] = [5] + ":path".utf8

    private static func value(_ bytes: [UInt8]) -> Frame {
        .block(1, indexed + [0x04] + path + [0x00, 1, UInt8(ascii: "x"), UInt8(bytes.count) | 0x80] + bytes)
    }

    private static let compression = [
        Self("an indexed literal", .answer, .block(1, indexed + [0x44] + path)),
        Self("a literal without indexing", .answer, .block(1, indexed + [0x04] + path)),
        Self("a never-indexed literal", .answer, .block(1, indexed + [0x14] + path)),
        Self("an indexed literal with a new name", .answer, .block(1, indexed + [0x40] + name + path)),
        Self("a literal with a new name without indexing", .answer, .block(1, indexed + [0x00] + name + path)),
        Self("a never-indexed literal with a new name", .answer, .block(1, indexed + [0x10] + name + path)),
        Self(
            "a field from the dynamic table", .answer, .block(1, indexed + [0x44] + path),
            .block(3, [0x82, 0x86, 0xBE, 0xBF])),
        Self("a value in Huffman code", .answer, value([0x07])),
        Self(
            "Huffman code padded with more than seven bits", .connectionError(compressionError), value([0x07, 0xFF])),
        Self("Huffman code padded with zeros", .connectionError(compressionError), value([0x00])),
        Self("end-of-string within a string", .connectionError(compressionError), value([0xFF, 0xFF, 0xFF, 0xFF])),
        Self("index 0", .connectionError(compressionError), .block(1, indexed + [0x80])),
        Self("an index beyond the table", .connectionError(compressionError), .block(1, [0xBE])),
        Self("a name index beyond the table", .connectionError(compressionError), .block(1, [0x7F, 0x60, 1, 0x61])),
        Self(
            "an integer that never ends", .connectionError(compressionError),
            .block(1, .init(repeating: 0xFF, count: 5))),
        Self("a string that ends early", .connectionError(compressionError), .block(1, [0x44, 9, 0x2F])),
        Self("a smaller table", .answer, .block(1, [0x20] + indexed + [0x04] + path)),
        Self(
            "a smaller table and the original size again", .answer,
            .block(1, [0x20, 0x3F, 0xE1, 0x1F] + indexed + [0x44] + path)),
        Self("a table greater than allowed", .connectionError(compressionError), .block(1, [0x3F, 0xE2, 0x1F])),
        Self("a table's size after a field", .connectionError(compressionError), .block(1, indexed + [0x20])),
    ]
}
