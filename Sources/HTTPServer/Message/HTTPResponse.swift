/// What is answered: a status, fields and a whole body. `Date`, `Content-Length` and `Connection` are the server's to add.
public struct HTTPResponse: Sendable {
    public let status: HTTPStatus
    public let fields: HTTPFields
    /// The content; on HEAD its length is told and the bytes are not sent (RFC 9110 section 9.3.2).
    public let body: [UInt8]
    /// What the access log says of the request beyond HTTP, such as a keyed digest of the id; never a secret.
    public let annotation: String

    public init(status: HTTPStatus, fields: HTTPFields, body: [UInt8], annotation: String = "") {
        self.status = status
        self.fields = fields
        self.body = body
        self.annotation = annotation
    }
}

/// When an answer is given.
public enum HTTPAnswer {
    /// At once, in the turn that read the request.
    case now(HTTPResponse)
    /// After work that is too long for the reading turn, such as a signature. The loop runs one piece of work between
    /// two looks at its sockets, in the order of arrival, and sends what it returns.
    case afterWork((ServerTime) -> HTTPResponse)
}
