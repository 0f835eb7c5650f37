/// What a loop counts besides answers.
package enum ServerEvent: Int, CaseIterable, Sendable {
    /// A connection was accepted.
    case connectionAccepted
    /// An accepted connection was beyond a limit of connections, so that it is heard for one request at most.
    case connectionBeyondLimit
    /// One of those was closed unheard for another.
    case connectionEvicted
    /// Accepting was paused, since descriptors or memory ran out.
    case acceptingPaused
    /// A handshake was done: the protocol's version, and whether a session was resumed.
    case handshakeTLS12, handshakeTLS12Resumed, handshakeTLS13, handshakeTLS13Resumed
    /// A handshake failed.
    case handshakeFailed
    /// It failed since the client's certificate was not accepted, or there was none.
    case certificateRefused
    /// A connection was ended for what its client did or is.
    case clientRefused
    /// Several requests at a time are spoken on a connection.
    case streamsBegun
    /// A promised answer was let go.
    case answerAbandoned
}
