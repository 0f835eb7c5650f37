import Glibc

/// A request that has passed the grammar, as its handler sees it: a view of the connection's bytes that cannot be kept,
/// since it is neither copied nor consumed. What outlives the call is copied out of it.
public struct HTTPRequest: ~Copyable {
    /// The bytes that `head` was parsed from; valid while the borrow lasts.
    let bytes: UnsafeRawBufferPointer
    let head: RequestHead
    /// The path's part of them.
    @usableFromInline let pathBytes: UnsafeRawBufferPointer
    /// The query's part of them.
    @usableFromInline let query: UnsafeRawBufferPointer?
    /// The address that is connected, or was announced by a proxy (`ServerSettings.proxyProtocolFrom`); nil on a unix
    /// socket.
    package let peer: IPAddress?
    /// Knows the identity of the peer; valid while the borrow lasts, and so not counted.
    private unowned(unsafe) let client: (any RequestClient)?
    /// The number in the answer's `X-Request-ID`, unless the request came with an id.
    let requestID: UInt64
    /// Nil if the request carries neither an id nor a trace; valid while the borrow lasts, and so not counted.
    unowned(unsafe) var trace: RequestTrace?

    init(
        bytes: UnsafeRawBufferPointer, head: RequestHead, peer: IPAddress?, client: (any RequestClient)? = nil,
        requestID: UInt64
    ) {
        self.bytes = bytes
        self.head = head
        self.pathBytes = UnsafeRawBufferPointer(rebasing: bytes[head.path])
        self.query = head.query.map { UnsafeRawBufferPointer(rebasing: bytes[$0]) }
        self.peer = peer
        self.client = client
        self.requestID = requestID
    }

    /// Its id and its trace.
    package var identity: RequestIdentity { RequestIdentity(number: requestID, trace: trace) }

    /// The request's method.
    package var method: HTTPMethod { head.method }

    /// Who the peer of a secure connection is authenticated as; nil if it is not.
    package var peerIdentity: (any PeerIdentity)? { client?.identity }

    /// Whether the path is exactly this; it is compared as it was sent, never decoded or normalised.
    package func hasPath(_ literal: StaticString) -> Bool {
        pathBytes.count == literal.utf8CodeUnitCount && pathBegins(with: literal)
    }

    /// Whether the path begins with this, compared like a whole one.
    package func pathBegins(with literal: StaticString) -> Bool {
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
}

/// Who the peer of a secure connection is authenticated as. Only the maker of the transport and the application know
/// more.
package protocol PeerIdentity: AnyObject, Sendable {}

/// Knows who a request's peer is authenticated as: its connection's layers.
protocol RequestClient: AnyObject {
    var identity: (any PeerIdentity)? { get }
}
