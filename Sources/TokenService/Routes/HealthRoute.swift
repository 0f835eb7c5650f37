import HTTPServer

/// `GET /healthz`: the loop that answers is alive. For load balancers; no limit of connections keeps it from
/// answering.
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
