import HTTPServer

/// Which route answers a request, that of tokens or one of the open paths: paths are compared as they were sent, never decoded, resolved or normalised.
struct Router: Sendable {
    static let tokenPath = "/token"
    /// Bytes of an unknown path in the access log.
    private static let maxLogged = 128

    let token: TokenRoute
    /// Nil if no web page of another origin may ask.
    let crossOrigin: CrossOrigin?

    /// Whether a request is answered however busy the server is.
    static func isExemptFromLimits(_ request: borrowing HTTPRequest) -> Bool { OpenPath(request) == .health }

    func respond(to request: borrowing HTTPRequest, at time: ServerTime) -> HTTPAnswer {
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
            let route = request.withPath { Router.logged($0, to: $0.count) }
            return .now(ProblemAnswer.answer(.unknownPath, route: route))
        }
    }

    /// What the access log calls a path that is no route's: as it was sent, up to `end`, and cut where it is too long;
    /// nothing of one that looks as if an API key or a token had been pasted into it.
    static func logged(_ path: Span<UInt8>, to end: Int) -> String {
        let kept = min(end, maxLogged)
        let text = String(decoding: (0..<kept).map { path[$0] }, as: UTF8.self)
        let decoded = PercentDecoding.bytes(of: path, 0..<path.count).map { String(decoding: $0, as: UTF8.self) }
        guard let decoded, !decoded.contains("tpk_"), !decoded.contains("eyJ") else { return "-" }
        return kept < path.count ? "\(text)…" : text
    }
}
