import HTTPServer

/// Which route answers a request: paths are compared as they were sent, never decoded, resolved or normalised.
struct Router: Sendable {
    static let readMethods = "GET, HEAD"

    let token: TokenRoute

    func respond(to request: borrowing HTTPRequest, at time: ServerTime) -> HTTPAnswer {
        // RFC 9110 section 9.3.8: a TRACE would send credentials back; section 9.3.6: we are nobody's tunnel.
        if request.method == .trace || request.method == .connect {
            return .now(ProblemAnswer.answer(.methodNotAllowed(allowed: Router.readMethods)))
        }
        if request.hasPath("/token") { return token.respond(to: request, at: time) }
        if request.hasPath("/healthz") { return .now(HealthRoute.respond(to: request)) }
        return .now(ProblemAnswer.answer(.unknownPath))
    }
}

/// `GET /healthz`: the loop that answers is alive. For load balancers; no limit applies to it.
enum HealthRoute {
    private static let ok = HTTPResponse(
        status: .ok,
        fields: HTTPFields([
            ("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"),
        ]) ?? .none,
        body: Array("ok\n".utf8))

    static func respond(to request: borrowing HTTPRequest) -> HTTPResponse {
        guard request.method == .get || request.method == .head else {
            return ProblemAnswer.answer(.methodNotAllowed(allowed: Router.readMethods))
        }
        return ok
    }
}
