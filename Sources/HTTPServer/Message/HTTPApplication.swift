/// What a server serves: the three places where it asks whoever knows more than HTTP.
///
/// The closures run on the loops, several at a time, and must not block.
public struct HTTPApplication: Sendable {
    /// Answers a request that has passed the grammar.
    let respond: @Sendable (borrowing HTTPRequest, ServerTime) -> HTTPAnswer
    /// Words the answer to a request that has not.
    let refuse: @Sendable (RequestRejection) -> HTTPResponse
    /// Is told of every answer once it is on its way; nil if nobody wants to know, which costs nothing.
    let observe: (@Sendable (AccessRecord) -> Void)?

    public init(
        respond: @escaping @Sendable (borrowing HTTPRequest, ServerTime) -> HTTPAnswer,
        refuse: @escaping @Sendable (RequestRejection) -> HTTPResponse,
        observe: (@Sendable (AccessRecord) -> Void)? = nil
    ) {
        self.respond = respond
        self.refuse = refuse
        self.observe = observe
    }
}

/// One answered request, for the access log.
public struct AccessRecord: Sendable {
    /// The method's name; nil if the request was refused before it was known.
    public let method: HTTPMethod?
    /// The path as it was sent, without the query; empty if it was not known.
    public let path: String
    public let status: HTTPStatus
    /// Bytes of the body that the answer announces.
    public let bodyBytes: Int
    /// Nanoseconds from the turn in which the request was whole to its answer.
    public let duration: UInt64
    /// The answer's `X-Request-ID`.
    public let requestID: String
    /// `HTTPResponse.annotation`.
    public let annotation: String
}
