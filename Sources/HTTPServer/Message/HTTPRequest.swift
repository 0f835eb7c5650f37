import Glibc

/// A request that has passed the grammar, as its handler sees it: a view of the connection's bytes that cannot be kept,
/// since it is neither copied nor consumed. What outlives the call is copied out of it.
public struct HTTPRequest: ~Copyable {
    /// The bytes that `head` was parsed from; valid while the borrow lasts.
    private let bytes: UnsafeRawBufferPointer
    private let head: RequestHead
    /// The path's part of them.
    @usableFromInline let pathBytes: UnsafeRawBufferPointer
    /// The query's part of them.
    @usableFromInline let query: UnsafeRawBufferPointer?
    /// Who is connected; nil on a unix socket.
    public let peer: PeerAddress?

    init(bytes: UnsafeRawBufferPointer, head: RequestHead, peer: PeerAddress?) {
        self.bytes = bytes
        self.head = head
        self.pathBytes = UnsafeRawBufferPointer(rebasing: bytes[head.path])
        self.query = head.query.map { UnsafeRawBufferPointer(rebasing: bytes[$0]) }
        self.peer = peer
    }

    /// The request's method.
    public var method: HTTPMethod { head.method }

    /// Whether the path is exactly this; it is compared as it was sent, never decoded or normalised.
    public func hasPath(_ literal: StaticString) -> Bool {
        pathBytes.count == literal.utf8CodeUnitCount && pathBegins(with: literal)
    }

    /// Whether the path begins with this, compared like a whole one.
    public func pathBegins(with literal: StaticString) -> Bool {
        let length = literal.utf8CodeUnitCount
        guard pathBytes.count >= length, let start = pathBytes.baseAddress else { return length == 0 }
        return memcmp(start, literal.utf8Start, length) == 0
    }

    /// The path as it was sent: ASCII, percent-encodings intact.
    @inlinable
    public func withPath<Value, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try body(Span(_unsafeBytes: pathBytes))
    }

    /// The query as it was sent, without its "?"; nil if there is none.
    @inlinable
    public func withQuery<Value, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Value
    ) throws(Failure) -> Value? {
        guard let query else { return nil }
        return try body(Span(_unsafeBytes: query))
    }

    /// The value of the only field of this (lower-case) name; nil if there is none, or more than one, so that nobody
    /// has to choose between two.
    public func field(_ name: StaticString) -> String? {
        let span = Span<UInt8>(_unsafeBytes: bytes)
        var found: Range<Int>?
        var start = head.fields.lowerBound
        while start < head.fields.upperBound {
            let nameEnd = span.end(of: .token, from: start)
            let valueEnd = span.end(of: .fieldValue, from: nameEnd + 1)
            if span.equalsIgnoringCase(name, start..<nameEnd) {
                guard found == nil else { return nil }
                found = span.trimmed(nameEnd + 1..<valueEnd)
            }
            start = valueEnd + 2
        }
        return found.map { String(decoding: bytes[$0], as: UTF8.self) }
    }
}
