import HTTPServer

/// Which route answers a request, that of tokens or one of the open paths: paths are compared as they were sent, never decoded, resolved or normalised.
package final class Router: Sendable {
    static let tokenPath = "/token"

    package let token: TokenRoute
    /// Nil if no web page of another origin may ask.
    package let crossOrigin: CrossOrigin?

    package init(token: TokenRoute, crossOrigin: CrossOrigin?) { (self.token, self.crossOrigin) = (token, crossOrigin) }

    /// Whether a request is answered however busy the server is.
    package static func isExemptFromLimits(_ request: borrowing HTTPRequest) -> Bool { OpenPath(request) == .health }

    package func respond(to request: borrowing HTTPRequest, at time: ServerTime) -> HTTPAnswer {
        if request.hasPath("/token") || request.pathBegins(with: "/token/") {
            guard let crossOrigin else { return token.respond(to: request, at: time) }
            return crossOrigin.answer(request) { token.respond(to: $0, at: time) }
        }
        // RFC 9110 section 9.3.8: a TRACE would send credentials back; section 9.3.6: we are nobody's tunnel.
        // OPTIONS * asks of no path at all (section 9.3.7).
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
