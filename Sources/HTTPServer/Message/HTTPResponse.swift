/// An answer: a status, headers and a whole body. `Date`, `Content-Length` and `Connection` are the server's to add.
package struct HTTPResponse: Sendable {
    /// The status of the answer.
    package let status: HTTPStatus
    /// How the answer is counted.
    package let tally: AnswerTally
    /// The headers that the application adds to the server's.
    package let fields: HTTPFields
    /// The content; on HEAD only its length is sent (RFC 9110 section 9.3.2).
    package let body: [UInt8]
    /// What the access log says of the request.
    package var annotation: HTTPAnnotation

    /// An answer; it is valid as it stands, since its parts are.
    package init(
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
