import HTTPServer
import TokenService

/// Which route of the admin listener answers a request: what whoever runs the daemon wants to know, and never a token.
struct AdminRouter: Sendable {
    let liveness: Liveness
    let readiness: Readiness
    let metrics: MetricsRoute
    let reloading: ReloadRoute

    func respond(to request: borrowing HTTPRequest) -> HTTPAnswer {
        let path = request.withPath { path in
            AdminPath(rawValue: path.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
        }
        guard let path else { return .now(ProblemAnswer.answer(.unknownAdminPath)) }
        guard request.method.reads || path == .reload else {
            return .now(ProblemAnswer.answer(.methodNotAllowed(allowed: HTTPMethod.readingNames), route: path.rawValue))
        }
        switch path {
        case .health: return liveness.answer()
        case .readiness: return readiness.answer()
        case .metrics: return metrics.answer(to: request)
        case .version: return .now(reloading.reloader.current.now.documents.version)
        case .keys: return .now(reloading.reloader.current.now.documents.keys)
        case .reload: return reloading.answer(to: request)
        }
    }
}
