import HTTPServer
import StrictJSON
import TokenService

/// Routes the requests of the admin listener, which operators and their tools send. It never answers with a token.
struct AdminRouter: Sendable {
    let hosts: AdminHosts
    let metrics: DaemonMetrics
    let reload: ReloadSequence
    /// Nil without the console.
    let console: ConsoleRoute?

    func respond(to request: borrowing HTTPRequest) -> HTTPAnswer {
        let path = AdminPath(rawValue: request.path)
        guard hosts.include(request) else {
            return .now(ProblemAnswer.answer(.hostNotAllowed, route: path?.rawValue ?? ""))
        }
        guard let path else { return console?.answer(to: request) ?? .now(ProblemAnswer.answer(.unknownAdminPath)) }
        guard request.method.reads || path == .reload else {
            return .now(ProblemAnswer.answer(.methodNotAllowed(allowed: HTTPMethod.readingNames), route: path.rawValue))
        }
        switch path {
        case .health: return metrics.server.liveness()
        case .readiness: return answerReadiness()
        case .metrics: return answerMetrics(to: request)
        case .version: return .now(.admin(.version) { $0.member("version", metrics.version) })
        case .keys: return .now(.admin(.keys, metrics.state.keySet, type: "application/jwk-set+json"))
        case .reload: return answerReload(to: request)
        }
    }
}

extension HTTPResponse {
    /// An answer of the admin listener: JSON and a line feed, for terminals.
    static func admin(
        _ path: AdminPath, _ json: [UInt8], status: HTTPStatus = .ok, type: String = "application/json"
    ) -> HTTPResponse {
        HTTPResponse(
            status: status, fields: .unstored(type), body: json + [UInt8(ascii: "\n")],
            annotation: HTTPAnnotation(route: path.rawValue))
    }

    /// An object, whose members the closure writes. It cannot control a terminal.
    static func admin(
        _ path: AdminPath, status: HTTPStatus = .ok, _ members: (inout JSONWriter) -> Void
    ) -> HTTPResponse { admin(path, JSONWriter.object(escaping: .logLine, members), status: status) }
}
