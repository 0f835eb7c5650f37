/// Encrypts one connection's bytes between it and its socket, such as TLS. The connection owns it and uses it on its
/// loop only; no call blocks.
package protocol SecureTransport: AnyObject {
    /// Goes as far with the handshake as the socket allows; a step may take as long as a signature.
    func handshake() -> HandshakeProgress
    /// Gives what the peer has sent, as much as the buffer takes.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> SecureProgress
    /// Takes bytes for the peer. What it would not take must be offered again, with the bytes after it. `isFollowed`: the
    /// connection ends after them, so that they need not be sent by themselves.
    func send(_ bytes: UnsafeRawBufferPointer, isFollowed: Bool) -> SecureProgress
    /// Sends now what it left to be sent with the next bytes.
    func sendHeld()
    /// Who the peer is authenticated as, once the handshake is done; nil if it is not.
    var identity: (any PeerIdentity)? { get }
    /// The version of the protocol that the handshake has agreed on; nil before, or if it is not counted.
    var version: SecureVersion? { get }
    /// Whether the handshake went on with an earlier session, without a signature.
    var isResumed: Bool { get }
    /// Whether the peer chose, in the handshake, a protocol that has several requests at a time (RFC 7301).
    var hasStreams: Bool { get }
    /// Whether it has taken bytes from the socket that `receive` may give at once: the poller does not know of them.
    var holdsBytes: Bool { get }
    /// Bytes that it holds, about.
    var memory: Int { get }
    /// Tells the peer that the connection ends, if that does not block; it is not used afterwards.
    func close()
}

/// A version of TLS that is served.
package enum SecureVersion: Sendable {
    case tls12, tls13

    /// What a loop counts once a handshake is done.
    func event(isResumed: Bool) -> ServerEvent {
        switch self {
        case .tls12: isResumed ? .handshakeTLS12Resumed : .handshakeTLS12
        case .tls13: isResumed ? .handshakeTLS13Resumed : .handshakeTLS13
        }
    }
}

/// How far a handshake has come.
package enum HandshakeProgress: Sendable {
    case done
    /// The socket has to become readable, or writable, before it goes on.
    case waitsToReceive, waitsToSend
    /// It cannot be done, for this reason; the peer was told.
    case failed(String)
    /// The peer's certificate is not accepted, or there is none, as the reason says; the peer was told.
    case refused(String)
    /// The peer has gone.
    case ended
}

/// What became of bytes.
package enum SecureProgress: Sendable {
    /// So many were received, or taken to be sent; at least one.
    case bytes(Int)
    /// The socket has to become readable, or writable, first.
    case waitsToReceive, waitsToSend
    /// The peer has ended its side.
    case ended
    /// The connection is of no further use.
    case failed
    /// The same, for a reason that the operator should know.
    case refused(String)
}
