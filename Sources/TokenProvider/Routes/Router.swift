import HTTPServer

/// Which route answers a request: paths are compared as they were sent, never decoded, resolved or normalised.
struct Router: Sendable {
    static let readMethods = "GET, HEAD"
    static let tokenPath = "/token"
    static let healthPath = "/healthz"

    let token: TokenRoute
    /// Nil if no web page of another origin may ask.
    let crossOrigin: CrossOrigin?

    /// Whether a request is answered however busy the server is.
    static func isExemptFromLimits(_ request: borrowing HTTPRequest) -> Bool { request.hasPath("/healthz") }

    func respond(to request: borrowing HTTPRequest, at time: ServerTime) -> HTTPAnswer {
        if request.hasPath("/token") || request.pathBegins(with: "/token/") {
            guard let crossOrigin else { return token.respond(to: request, at: time) }
            return crossOrigin.answer(request) { token.respond(to: $0, at: time) }
        }
        // RFC 9110 section 9.3.8: a TRACE would send credentials back; section 9.3.6: we are nobody's tunnel.
        // OPTIONS * asks of no path at all (section 9.3.7).
        let isOfTheServer = request.method == .options && request.hasPath("")
        if request.method == .trace || request.method == .connect || isOfTheServer {
            return .now(ProblemAnswer.answer(.methodNotAllowed(allowed: Router.readMethods)))
        }
        if request.hasPath("/healthz") { return .now(HealthRoute.respond(to: request)) }
        return .now(ProblemAnswer.answer(.unknownPath))
    }
}
