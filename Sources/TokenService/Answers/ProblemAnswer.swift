import HTTPServer
import StrictJSON

/// Errors as clients get them: problem details (RFC 9457). They are always JSON, since Google's sample apps parse the body
/// without checking the status.
package enum ProblemAnswer {
    private static let type = "application/problem+json"
    /// Seconds after which a client may try again.
    private static let retryAfter = "5"

    private static let fields = HTTPFields.unstored(type)
    private static let retryFields = fields(and: [("Retry-After", retryAfter)])

    /// The answer to a request that a route refused; without a tally it counts as an unknown path.
    package static func answer(
        _ problem: TokenProblem, route: String = "", subject: String = "", tally: AnswerTally? = nil
    ) -> HTTPResponse {
        HTTPResponse(
            status: problem.status, fields: fields(for: problem),
            body: body(status: problem.status, code: problem.code, detail: problem.detail),
            annotation: HTTPAnnotation(route: route, subject: subject, code: problem.code),
            tally: tally ?? AnswerTally(.other, problem.outcome()))
    }

    /// The answer to a request that the server refused before any route.
    package static func answer(_ rejection: RequestRejection) -> HTTPResponse {
        HTTPResponse(
            status: rejection.status, fields: rejection.status == .serviceUnavailable ? retryFields : fields,
            body: body(status: rejection.status, code: rejection.code, detail: rejection.detail),
            annotation: HTTPAnnotation(code: rejection.code), tally: AnswerTally(rejection))
    }

    private static func fields(for problem: TokenProblem) -> HTTPFields {
        switch problem {
        case .signingUnavailable(nil): retryFields
        case .signingUnavailable(let seconds?): fields(and: [("Retry-After", String(seconds))])
        case .caller(let problem): fields(and: problem.fields)
        case .methodNotAllowed(let allowed): fields(and: [("Allow", allowed)])
        default: fields
        }
    }

    /// Malformed headers are left out.
    private static func fields(and further: [(name: String, value: String)]) -> HTTPFields {
        fields + (HTTPFields(further) ?? .none)
    }

    /// `type` is about:blank, so `title` is the status's phrase and `code` tells problems apart (RFC 9457 section 4.2.1).
    private static func body(status: HTTPStatus, code: String, detail: String) -> [UInt8] {
        // Some sentences contain names that an unauthenticated client chose.
        var json = JSONWriter(escaping: .logLine, reserving: 256)
        json.object { problem in
            problem.member("type", "about:blank")
            problem.member("title", "\(status.phrase)")
            problem.member("status", Int64(status.rawValue))
            problem.member("detail", detail)
            problem.member("code", code)
        }
        return json.bytes
    }
}

extension HTTPFields {
    /// Headers of content that must not be stored or taken for another type. Malformed further headers are left out.
    package static func unstored(_ type: String, _ further: [(name: String, value: String)] = []) -> HTTPFields {
        let common = [
            (name: "Content-Type", value: type), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
        ]
        return HTTPFields(common + further) ?? HTTPFields(common) ?? .none
    }
}
