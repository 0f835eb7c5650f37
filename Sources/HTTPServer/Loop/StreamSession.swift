/// A protocol that has several requests at a time on one connection, each in a stream, such as HTTP/2.
package struct StreamProtocol: Sendable {
    /// How a peer begins that knows beforehand that the server speaks it (RFC 9113 section 3.4).
    let preface: StaticString
    let forLoop: @Sendable (ServerSettings) -> any StreamSessions

    /// A protocol; `forLoop` makes what a loop's sessions share, and is called for each.
    package init(preface: StaticString, forLoop: @escaping @Sendable (ServerSettings) -> any StreamSessions) {
        (self.preface, self.forLoop) = (preface, forLoop)
    }
}

/// Makes the sessions of one loop, and is used on that loop only.
package protocol StreamSessions: AnyObject {
    /// A session that has its requests answered; nil if memory has run out.
    func session(answering requests: StreamRequests) -> (any StreamSession)?
}

/// One connection's session: bytes in, requests to be answered, bytes out. It is used on the connection's loop only,
/// and no call blocks.
package protocol StreamSession: AnyObject {
    /// How far it has come.
    var phase: StreamPhase? { get }
    /// Bytes that it holds, about.
    var memory: Int { get }
    /// Since when the oldest stream waits that waits for the peer, on the monotonic clock; nil if none does.
    var stalledSince: UInt64? { get }
    /// Whether a stream waits for an answer.
    var awaitsAnswers: Bool { get }
    /// Frees what it does not need until something comes; it has been idle for a while.
    func trim()
    /// Takes what the peer has sent, and answers the requests among it that can be answered at once. All connections
    /// share the output buffer: it has to be sent before the loop turns to another connection.
    func receive(_ bytes: UnsafeRawBufferPointer)
    /// Adds what is to be sent next to the output (`StreamRequests.put`); false if there is nothing more for now.
    func produce() -> Bool
    /// Answers a request that had to wait; its stream may have ended meanwhile.
    func answer(_ stream: UInt32, with answer: consuming StreamAnswer)
    /// Takes no further requests once the peer can know of it, and ends after those it has.
    func drain()
    /// The peer has ended its side: takes no further requests, and ends once those that came whole are answered.
    func peerEnded()
    /// Ends what has taken longer than it may: streams, or the whole session if nothing but time has passed.
    func timeOut()
    /// Ends the streams for which the peer has taken longer than it may, or than this many nanoseconds.
    func endStalled(after patience: UInt64)
}

/// What becomes of a stream's request.
package enum StreamOutcome {
    case answered(StreamAnswer)
    /// The answer comes later.
    case pending
    /// It is not a request, and the application was not asked.
    case malformed
}

/// An answer for one stream.
package struct StreamAnswer {
    /// Its status, headers and body.
    package let response: HTTPResponse
    /// `X-Request-ID`, as a number.
    package let requestID: UInt64
    /// The id that the request came with, which is sent instead; nil if it came without one.
    package var givenID: String?
    /// The same as the header has it: sixteen hexadecimal digits as they lie in memory.
    package var requestIDDigits: (UInt64, UInt64) { requestID.hexadecimal }
    /// Only the body's length is sent, without the body (RFC 9110 section 9.3.2).
    package let isHead: Bool
    /// It is the session's last.
    package let isLast: Bool
}
