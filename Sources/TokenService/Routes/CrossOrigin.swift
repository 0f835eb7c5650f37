import HTTPServer
import ServiceConfiguration

/// Allows web pages of listed origins to request tokens: the CORS protocol (Fetch Standard, section 3.3) with exact
/// origins. Credentials mode is never allowed: token requests have an `Authorization` header, not cookies.
package struct CrossOrigin: Sendable {
    static let methods = "GET, HEAD, OPTIONS"

    /// Origins as bytes: two spellings of the same text are two origins.
    private let origins: Set<[UInt8]>
    private let preflight: HTTPFields
    /// Headers that pages may read: when to try again, and what to report (Fetch Standard, section 3.3.3).
    private static let exposed =
        HTTPFields([("Access-Control-Expose-Headers", "Retry-After, X-Request-ID")]) ?? .none
    private static let vary = HTTPFields([("Vary", "Origin")]) ?? .none

    /// Nil if no origin is allowed; then requests are not checked for one.
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

    /// The route's answer, with headers that let the page read it if its origin is allowed.
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

    /// Whether a browser asks before it sends a web page's request (Fetch Standard, section 3.3.2).
    static func isPreflight(_ request: borrowing HTTPRequest) -> Bool {
        request.method == .options && !request.values(of: "origin").isEmpty
            && !request.values(of: "access-control-request-method").isEmpty
    }

    private func answerToOptions(origin: String?, _ fields: HTTPFields?) -> HTTPResponse {
        let annotation = HTTPAnnotation(route: ServicePath.token)
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
            problem, route: ServicePath.token, tally: AnswerTally(.query(nil), problem.outcome()))
    }

    /// The headers that let pages of the origin read the answer; nil if they may not.
    private func allowing(_ origin: String) -> HTTPFields? {
        guard origins.contains(Array(origin.utf8)) else { return nil }
        return HTTPFields([("Access-Control-Allow-Origin", origin)]).map { $0 + CrossOrigin.vary }
    }
}

extension HTTPResponse {
    fileprivate func adding(_ more: HTTPFields) -> HTTPResponse {
        HTTPResponse(status: status, fields: fields + more, content: content, annotation: annotation, tally: tally)
    }
}
