import HTTPServer

/// `GET /healthz`: the loop that answers is alive. For load balancers; no limit of connections keeps it from
/// answering.
enum HealthRoute {
    private static let ok = HTTPResponse(
        status: .ok,
        fields: .unstored("text/plain; charset=utf-8"),
        body: Array("ok\n".utf8), annotation: HTTPAnnotation(route: Router.healthPath))

    static func respond(to request: borrowing HTTPRequest) -> HTTPResponse {
        guard request.method == .get || request.method == .head else {
            return ProblemAnswer.answer(.methodNotAllowed(allowed: Router.readMethods), route: Router.healthPath)
        }
        return ok
    }
}
