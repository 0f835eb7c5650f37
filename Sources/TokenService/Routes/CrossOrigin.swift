import HTTPServer
import ServiceConfiguration

/// Which web pages may ask for tokens: the CORS protocol (Fetch Standard, section 3.3) over an allow-list of exact
/// origins. Credentials mode is never allowed: a token is asked for with an `Authorization` field, not with cookies.
package struct CrossOrigin: Sendable {
    static let methods = "GET, HEAD, OPTIONS"

    /// Origins as bytes: two spellings of the same text are two origins.
    private let origins: Set<[UInt8]>
    private let preflight: HTTPFields
    /// What a page that waits, or asks for help, has to read (Fetch Standard, section 3.3.3).
    private static let exposed =
        HTTPFields([("Access-Control-Expose-Headers", "Retry-After, X-Request-ID")]) ?? .none
    private static let vary = HTTPFields([("Vary", "Origin")]) ?? .none

    /// Nil if no origin is allowed: then nobody looks for one, which costs nothing.
    package init?(_ configuration: Configuration.CORS) {
        guard !configuration.allowedOrigins.isEmpty else { return nil }
        origins = Set(configuration.allowedOrigins.map { Array($0.utf8) })
        var fields = [
            ("Access-Control-Allow-Methods", HTTPMethod.readingNames),
            ("Access-Control-Max-Age", "\(configuration.maxAge)"), ("Cache-Control", "no-store"),
        ]
        if !configuration.allowedHeaders.isEmpty {
            fields.append(("Access-Control-Allow-Headers", configuration.allowedHeaders.joined(separator: ", ")))
        }
        preflight = HTTPFields(fields) ?? .none
    }

    /// What the route answers, told to the page that asked if its origin may read it.
    package func answer(_ request: borrowing HTTPRequest, by route: (borrowing HTTPRequest) -> HTTPAnswer) -> HTTPAnswer
    {
        let origin = request.field("origin")
        let fields = origin.flatMap(allowing)
        if request.method == .options { return .now(answerToOptions(origin: origin, fields)) }
        let added = fields.map { $0 + CrossOrigin.exposed } ?? CrossOrigin.vary
        switch route(request) {
        case .now(let response): return .now(response.adding(added))
        case let answer: return answer.map { $0.adding(added) }
        }
    }

    /// A preflight asks before a request that a form could not have made.
    private func answerToOptions(origin: String?, _ fields: HTTPFields?) -> HTTPResponse {
        let annotation = HTTPAnnotation(route: Router.tokenPath)
        let tally = AnswerTally(.query(nil), .answered)
        if let fields {
            return HTTPResponse(
                status: .noContent, fields: preflight + fields, body: [], annotation: annotation, tally: tally)
        }
        guard origin == nil else {
            return refusal(.originNotAllowed).adding(CrossOrigin.vary)
        }
        let allow = HTTPFields([("Allow", CrossOrigin.methods)]) ?? .none
        return HTTPResponse(
            status: .noContent, fields: allow + CrossOrigin.vary, body: [], annotation: annotation, tally: tally)
    }

    private func refusal(_ problem: TokenProblem) -> HTTPResponse {
        ProblemAnswer.answer(
            problem, route: Router.tokenPath, tally: AnswerTally(.query(nil), RequestOutcome(problem, by: nil)))
    }

    /// The fields that let pages of the origin read the answer; nil if they may not.
    private func allowing(_ origin: String) -> HTTPFields? {
        guard origins.contains(Array(origin.utf8)) else { return nil }
        return HTTPFields([("Access-Control-Allow-Origin", origin)]).map { $0 + CrossOrigin.vary }
    }
}

extension HTTPResponse {
    fileprivate func adding(_ more: HTTPFields) -> HTTPResponse {
        HTTPResponse(status: status, fields: fields + more, body: body, annotation: annotation, tally: tally)
    }
}
