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

    /// What a request's answer gets, so that the page may read it if its origin is allowed.
    func headers(for request: borrowing HTTPRequest) -> HTTPFields {
        guard let origin = request.field("origin"), allows(origin),
            let allowing = HTTPFields([("Access-Control-Allow-Origin", origin)])
        else { return CrossOrigin.vary }
        let fields = allowing + CrossOrigin.vary
        return request.method == .options ? fields : fields + CrossOrigin.exposed
    }

    /// Whether a browser asks before it sends a web page's request (Fetch Standard, section 3.3.2).
    static func isPreflight(_ request: borrowing HTTPRequest) -> Bool {
        request.method == .options && !request.values(of: "origin").isEmpty
            && !request.values(of: "access-control-request-method").isEmpty
    }

    /// The answer to `OPTIONS`, which `headers` make one for the page.
    func answerToOptions(_ request: borrowing HTTPRequest) -> HTTPResponse {
        let origin = request.field("origin")
        if let origin, !allows(origin) { return refusal(.originNotAllowed) }
        let allow = HTTPFields([("Allow", CrossOrigin.methods)]) ?? .none
        return HTTPResponse(
            status: .noContent, fields: origin == nil ? allow : preflight, body: [],
            annotation: HTTPAnnotation(route: ServicePath.token), tally: AnswerTally(.query(nil), .answered))
    }

    private func refusal(_ problem: TokenProblem) -> HTTPResponse {
        ProblemAnswer.answer(
            problem, route: ServicePath.token, tally: AnswerTally(.query(nil), problem.outcome()))
    }

    private func allows(_ origin: String) -> Bool { origins.contains(Array(origin.utf8)) }
}
