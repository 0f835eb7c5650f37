import FleetEngineToken
import HTTPServer
import StrictJSON
import TokenService

/// `POST /reload` of the admin listener: reloads as SIGHUP does, and answers with the result.
extension AdminRouter {
    /// The header that a request must have, and its value.
    static let reloadHeader = (name: OperatorRequest.header, value: "reload")

    func answerReload(to request: borrowing HTTPRequest) -> HTTPAnswer {
        let route = AdminPath.reload.rawValue
        guard request.method == .post else {
            return .now(ProblemAnswer.answer(.methodNotAllowed(allowed: HTTPMethod.post.rawValue), route: route))
        }
        guard OperatorRequest.isMeant(request, as: Self.reloadHeader.value) else {
            return .now(ProblemAnswer.answer(.reloadFieldMissing, route: route))
        }
        return .later { promise in
            reload.run { outcome in promise.give { _ in .now(Self.response(outcome)) } }
        }
    }

    private static func response(_ outcome: ReloadOutcome) -> HTTPResponse {
        .admin(.reload, status: outcome.failure == nil ? .ok : .internalServerError) { json in
            json.member("reloaded", outcome.failure == nil)
            if outcome.failure != nil { json.member("applied", outcome.isApplied) }
            if !outcome.changed.isEmpty { json.member("changed", outcome.changed) }
            outcome.write(to: &json)
        }
    }
}

extension ReloadOutcome {
    /// Writes why the last reload failed and which changes need a restart, if any.
    func write(to json: inout JSONWriter) {
        if let failure { json.member("reload_errors", failure) }
        if !needRestart.isEmpty { json.member("restart_for", needRestart) }
    }
}
