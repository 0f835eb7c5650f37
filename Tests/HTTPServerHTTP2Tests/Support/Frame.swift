/// A frame and its bytes (RFC 9113 section 4.1).
struct Frame: Equatable, Sendable {
    enum Kind: UInt8 {
        case data, headers, priority, resetStream, settings, pushPromise, ping, goAway, windowUpdate, continuation
    }

    static let endsStream: UInt8 = 0x01
    static let acknowledges: UInt8 = 0x01
    static let endsHeaders: UInt8 = 0x04
    static let padded: UInt8 = 0x08

    let type: UInt8
    let flags: UInt8
    let stream: UInt32
    let payload: [UInt8]

    init(_ kind: Kind, _ flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) {
        self.init(type: kind.rawValue, flags, stream: stream, payload)
    }

    init(type: UInt8, _ flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) {
        (self.type, self.flags, self.stream, self.payload) = (type, flags, stream, payload)
    }

    var kind: Kind? { Kind(rawValue: type) }

    var endsStream: Bool { flags & Self.endsStream != 0 && (kind == .data || kind == .headers) }

    var bytes: [UInt8] {
        Array(UInt32(payload.count).bytes.dropFirst()) + [type, flags] + stream.bytes + payload
    }

    static func settings(_ settings: [(UInt16, UInt32)] = []) -> Frame {
        Frame(.settings, 0, stream: 0, settings.flatMap { [UInt8($0.0 >> 8), UInt8($0.0 & 0xFF)] + $0.1.bytes })
    }

    static func reset(_ stream: UInt32, _ code: UInt32 = 8) -> Frame {
        Frame(.resetStream, 0, stream: stream, code.bytes)
    }

    static func window(_ stream: UInt32, _ more: UInt32) -> Frame {
        Frame(.windowUpdate, 0, stream: stream, more.bytes)
    }

    static func ping(_ text: String = "ping-pon") -> Frame { Frame(.ping, 0, stream: 0, Array(text.utf8)) }

    /// A request without a body.
    static func request(_ stream: UInt32, _ path: String, _ fields: [(String, String)] = []) -> Frame {
        headers(stream, RequestFields.get(path) + fields)
    }

    static func headers(
        _ stream: UInt32, _ fields: [(String, String)], _ flags: UInt8 = endsStream | endsHeaders
    ) -> Frame {
        Frame(.headers, flags, stream: stream, RequestFields.encoded(fields))
    }

    /// The 32-bit number at an offset of the payload.
    func number(at offset: Int) -> UInt32 {
        payload.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// Fields as a client sends them.
enum RequestFields {
    static func get(_ path: String) -> [(String, String)] {
        [(":method", "GET"), (":scheme", "http"), (":authority", "a"), (":path", path)]
    }

    /// Each as a literal without indexing, with a new name (RFC 7541 section 6.2.2).
    static func encoded(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { [0] + encoded($0.0) + encoded($0.1) }
    }

    /// A length with a prefix of seven bits (RFC 7541 section 5.1), then the bytes without Huffman code.
    private static func encoded(_ text: String) -> [UInt8] {
        var length = text.utf8.count
        guard length >= 127 else { return [UInt8(length)] + text.utf8 }
        var bytes: [UInt8] = [127]
        length -= 127
        while length >= 128 {
            bytes.append(UInt8(length & 127) | 128)
            length >>= 7
        }
        return bytes + [UInt8(length)] + text.utf8
    }
}

extension UInt32 {
    /// In network order.
    var bytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
