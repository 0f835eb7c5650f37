/// What the access log says of a request beyond HTTP; never a secret.
public struct HTTPAnnotation: Sendable, Equatable {
    /// The route that answered, such as `/token`; empty if none did. Never the path itself, which may hold an id.
    public var route: String
    /// What was asked for, such as a keyed digest of the id; empty if it was not known.
    public var subject: String
    /// The stable code of a problem; empty if there was none.
    public var code: String
    /// The name of the rule that allowed it; empty if none had to.
    public var rule: String

    /// Says what is known; the rest is empty.
    public init(route: String = "", subject: String = "", code: String = "", rule: String = "") {
        (self.route, self.subject) = (route, subject)
        (self.code, self.rule) = (code, rule)
    }
}

/// What is answered: a status, fields and a whole body. `Date`, `Content-Length` and `Connection` are the server's to add.
public struct HTTPResponse: Sendable {
    /// The status of the answer.
    public let status: HTTPStatus
    /// What the answer counts among.
    public let tally: AnswerTally
    /// The fields that the application adds to the server's.
    public let fields: HTTPFields
    /// The content; on HEAD its length is told and the bytes are not sent (RFC 9110 section 9.3.2).
    public let body: [UInt8]
    /// What the access log says of the request.
    public var annotation: HTTPAnnotation

    /// An answer; it is valid as it stands, since its parts are.
    public init(
        status: HTTPStatus, fields: HTTPFields, body: [UInt8], annotation: HTTPAnnotation = HTTPAnnotation(),
        tally: AnswerTally = AnswerTally()
    ) {
        self.status = status
        self.tally = tally
        self.fields = fields
        self.body = body
        self.annotation = annotation
    }
}
