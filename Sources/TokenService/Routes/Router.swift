import HTTPServer

/// Selects the route of a request: the token route or an open path. Paths are compared as sent, never decoded, resolved or
/// normalized.
package final class Router: Sendable {
    package let token: TokenRoute
    /// Nil if web pages of other origins are not allowed.
    package let crossOrigin: CrossOrigin?

    package init(token: TokenRoute, crossOrigin: CrossOrigin?) { (self.token, self.crossOrigin) = (token, crossOrigin) }

    /// Whether a request is answered even if the server is busy.
    package static func isExemptFromLimits(_ request: borrowing HTTPRequest) -> Bool { OpenPath(request) == .health }

    package func respond(to request: borrowing HTTPRequest, at time: ServerTime) -> HTTPAnswer {
        if request.hasPath("/token") || request.pathBegins(with: "/token/") {
            guard let crossOrigin else { return token.respond(to: request, at: time) }
            return crossOrigin.answer(request) { token.respond(to: $0, at: time) }
        }
        // RFC 9110 section 9.3.8: a TRACE would return credentials; section 9.3.6: CONNECT would make this a proxy.
        // OPTIONS * is about the whole server, not a path (section 9.3.7).
        let isOfTheServer = request.method == .options && request.hasPath("")
        if request.method == .trace || request.method == .connect || isOfTheServer {
            return .now(ProblemAnswer.answer(.methodNotAllowed(allowed: HTTPMethod.readingNames)))
        }
        switch OpenPath(request) {
        case .health: return .now(HealthRoute.respond(to: request))
        case nil:
            let route = request.withPath { token.records.label.path($0, to: $0.count) }
            return .now(ProblemAnswer.answer(.unknownPath, route: route))
        }
    }
}

extension HTTPMethod {
    /// The methods that routes answer, as in `Allow`.
    package static let readingNames = "GET, HEAD"

    /// Whether it is one of them.
    package var reads: Bool {
        switch self {
        case .get, .head: true
        default: false
        }
    }
}
