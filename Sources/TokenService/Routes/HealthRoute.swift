import HTTPServer

/// `GET /healthz`, for load balancers: the event loop that answers is alive. It answers even at the limit of connections.
enum HealthRoute {
    private static let ok = HTTPResponse(
        status: .ok,
        fields: .unstored("text/plain; charset=utf-8"),
        body: Array("ok\n".utf8), annotation: HTTPAnnotation(route: OpenPath.health.rawValue),
        tally: AnswerTally(.health, .answered))

    static func respond(to request: borrowing HTTPRequest) -> HTTPResponse {
        guard request.method.reads else {
            return ProblemAnswer.answer(
                .methodNotAllowed(allowed: HTTPMethod.readingNames), route: OpenPath.health.rawValue,
                tally: AnswerTally(.health, .methodNotAllowed))
        }
        return ok
    }
}
