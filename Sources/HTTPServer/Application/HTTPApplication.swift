/// What a server serves: the places where it asks for more than HTTP.
///
/// The closures run on the loops, several at a time, and must not block.
package struct HTTPApplication: Sendable {
    /// The beginning of paths that a proxy has not taken away; requests are answered as without it.
    let pathPrefix: [UInt8]
    /// Answers a request that has passed the grammar.
    let respond: @Sendable (borrowing HTTPRequest, ServerTime) -> HTTPAnswer
    /// Headers that a request's answer gets, whenever and by whom it is given; nil costs nothing.
    let headers: (@Sendable (borrowing HTTPRequest) -> HTTPFields?)?
    /// Makes the answer to a request that has not passed it.
    let refuse: @Sendable (RequestRejection) -> HTTPResponse
    /// Whether a request is answered although there are too many connections: a health check must not fail because the
    /// server is busy. Its answer should be ready at once, since others wait for the connection's place.
    let isExemptFromLimits: @Sendable (borrowing HTTPRequest) -> Bool
    /// Gets what the operator should know.
    let notice: @Sendable (ServerNotice) -> Void
    /// Gets the record of every answer once it is on its way; nil costs nothing.
    let observe: (@Sendable (AccessRecord) -> Void)?

    /// An application out of its closures.
    package init(
        below pathPrefix: [UInt8] = [], respond: @escaping @Sendable (borrowing HTTPRequest, ServerTime) -> HTTPAnswer,
        headers: (@Sendable (borrowing HTTPRequest) -> HTTPFields?)? = nil,
        refuse: @escaping @Sendable (RequestRejection) -> HTTPResponse,
        isExemptFromLimits: @escaping @Sendable (borrowing HTTPRequest) -> Bool = { _ in false },
        notice: @escaping @Sendable (ServerNotice) -> Void = { _ in },
        observe: (@Sendable (AccessRecord) -> Void)? = nil
    ) {
        (self.pathPrefix, self.respond, self.headers, self.refuse) = (pathPrefix, respond, headers, refuse)
        (self.isExemptFromLimits, self.notice, self.observe) = (isExemptFromLimits, notice, observe)
    }
}

/// What an operator should know of the server; each loop reports so many a second at most (`NoticeQuotas`).
package enum ServerNotice: Sendable, Equatable {
    /// No connection can be accepted for a moment: descriptors or memory ran out, as the sentence says.
    case acceptingPaused(String)
    /// Connections are closed without an answer: the limit and its reserve are both used up.
    case connectionsRefused
    /// Clients hold so much memory that something is given up, as the words say.
    case memoryPressed(String)
    /// A promised answer was released without being given, and its client got an error: the code that promised it is
    /// broken.
    case answersAbandoned
    /// A client and this server could not agree on a secure connection, for this reason.
    case handshakeFailed(String)
    /// A client's certificate was not accepted, or there was none, as the reason says.
    case certificateRefused(String)
    /// A client's connection was ended for what the client did or is, as the reason says.
    case clientRefused(String)
    /// A proxy of this address began without a header of the PROXY protocol, or with a malformed one.
    case proxyHeaderRefused(IPAddress?, isMissing: Bool)
}

/// One answered request, for the access log.
package struct AccessRecord: Sendable {
    /// The method's name; nil if the request was refused before it was known.
    package let method: HTTPMethod?
    /// The status of the answer.
    package let status: HTTPStatus
    /// Bytes of the body that the answer announces.
    package let bodyBytes: Int
    /// Nanoseconds from the turn in which the request was whole to its answer.
    package let duration: UInt64
    /// This server's own id of the request.
    package let requestID: String
    /// The id that the request came with, which the answer's `X-Request-ID` then is; nil if it came with none.
    package var clientRequestID: String?
    /// The trace that the request is a part of (`TraceParent.traceID`); nil if it says none.
    package var traceID: String?
    /// `HTTPResponse.annotation`.
    package let annotation: HTTPAnnotation
}
