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

/// What the access log says of a request beyond HTTP; never a secret. One that says nothing costs nothing.
package struct HTTPAnnotation: Sendable, Equatable {
    private final class Words: Sendable {
        let route: String
        let subject: String
        let code: String
        let rule: String

        init(_ route: String, _ subject: String, _ code: String, _ rule: String) {
            (self.route, self.subject, self.code, self.rule) = (route, subject, code, rule)
        }
    }

    private let words: Words?

    /// Says nothing.
    package init() { words = nil }

    /// Says what is known; the rest is empty.
    package init(route: String = "", subject: String = "", code: String = "", rule: String = "") {
        words = Words(route, subject, code, rule)
    }

    /// The route that answered, such as `/token`; empty if none did. Never the path itself, which may hold an id.
    package var route: String { words?.route ?? "" }
    /// What was asked for, such as a keyed digest of the id; empty if it was not known.
    package var subject: String { words?.subject ?? "" }
    /// The stable code of a problem; empty if there was none.
    package var code: String { words?.code ?? "" }
    /// The name of the rule that allowed it; empty if none had to.
    package var rule: String { words?.rule ?? "" }

    /// Whether both say the same.
    package static func == (left: HTTPAnnotation, right: HTTPAnnotation) -> Bool {
        (left.route, left.subject, left.code, left.rule) == (right.route, right.subject, right.code, right.rule)
    }
}
