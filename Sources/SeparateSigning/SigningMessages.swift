/// Messages to sign, each with the number of its key: one packet of a socket.
///
/// A byte with their count, then for each 2 bytes of its key's number, 4 of its length, and itself; numbers have the most
/// significant byte first.
struct SigningRequest: Equatable, Sendable {
    /// Bytes of a packet. A batch of tasks takes up to 194,000 bytes as JSON, if each character is escaped, and a third more in a
    /// token.
    static let maxBytes = 288 << 10
    static let maxMessages = 8

    typealias Message = (key: Int, message: [UInt8])
    let messages: [Message]

    init(_ messages: [Message]) { self.messages = messages }

    /// Bytes of the packet.
    var length: Int { messages.reduce(1) { $0 + 6 + $1.message.count } }

    /// Nil if they are too many or too long.
    var packet: [UInt8]? {
        let length = length
        guard (1...Self.maxMessages).contains(messages.count), length <= Self.maxBytes else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length)
        bytes.append(UInt8(messages.count))
        for (key, message) in messages {
            bytes.append(number: key, bytes: 2)
            bytes.append(number: message.count, bytes: 4)
            bytes += message
        }
        return bytes
    }

    /// Nil unless the bytes are exactly such a packet.
    init?(packet: UnsafeRawBufferPointer) {
        var reader = PacketReader(packet)
        guard let count = reader.number(bytes: 1), (1...Self.maxMessages).contains(count) else { return nil }
        var messages: [Message] = []
        for _ in 0..<count {
            guard let key = reader.number(bytes: 2), let length = reader.number(bytes: 4),
                let message = reader.bytes(length)
            else { return nil }
            messages.append((key, message))
        }
        guard reader.isAtEnd else { return nil }
        self.messages = messages
    }

    static func == (one: SigningRequest, other: SigningRequest) -> Bool {
        one.messages.elementsEqual(other.messages) { $0.key == $1.key && $0.message == $1.message }
    }
}

/// The signatures for a request, in its order: one packet of a socket.
///
/// For each 2 bytes of its length, and itself; a length of 0 where none was made. Then a text for the operator's log.
struct SigningAnswer: Equatable, Sendable {
    let signatures: [[UInt8]?]
    /// Why no further batches are signed, once.
    var fault: String?

    var packet: [UInt8] {
        var bytes: [UInt8] = []
        for signature in signatures {
            bytes.append(number: signature?.count ?? 0, bytes: 2)
            bytes += signature ?? []
        }
        return bytes + Array((fault ?? "").utf8)
    }

    init(_ signatures: [[UInt8]?], fault: String? = nil) { (self.signatures, self.fault) = (signatures, fault) }

    /// Nil unless the bytes are a packet with this number of signatures.
    init?(packet: UnsafeRawBufferPointer, count: Int) {
        var reader = PacketReader(packet)
        var signatures: [[UInt8]?] = []
        for _ in 0..<count {
            guard let length = reader.number(bytes: 2), let signature = reader.bytes(length) else { return nil }
            signatures.append(signature.isEmpty ? nil : signature)
        }
        self.signatures = signatures
        let rest = reader.rest
        fault = rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
    }
}

/// Reads a packet from its beginning.
private struct PacketReader {
    private(set) var rest: Slice<UnsafeRawBufferPointer>

    init(_ packet: UnsafeRawBufferPointer) { rest = packet[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func number(bytes count: Int) -> Int? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
    }

    mutating func bytes(_ count: Int) -> [UInt8]? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(UnsafeRawBufferPointer(rebasing: rest.prefix(count)))
    }
}

extension [UInt8] {
    fileprivate mutating func append(number: Int, bytes count: Int) {
        for place in stride(from: 8 * (count - 1), through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> place))
        }
    }
}
