import FleetEngineToken
import HTTPServer
import Logging

/// `GET /token` and `GET /token/{kind}/{id}`: the only place that knows both sides, the request and the token. Errors
/// become answers here.
struct TokenRoute: Sendable {
    /// The minters of the kinds that are served.
    let kinds: ServedKinds
    let cache: TokenCache
    let answer: TokenAnswer
    /// Names of query parameters to ignore, as bytes of UTF-8.
    let ignoredParameters: Set<[UInt8]>
    let label: IDLabel
    let logger: Logger

    func respond(to request: borrowing HTTPRequest, at time: ServerTime) -> HTTPAnswer {
        var route = Router.tokenPath
        do throws(TokenProblem) {
            guard request.method == .get || request.method == .head else {
                throw .methodNotAllowed(allowed: Router.readMethods)
            }
            let path = try request.withPath { path throws(TokenProblem) in try TokenPath(path) }
            route = path.route
            let wanted = try wanted(request, path)
            if let token = cache.fresh(wanted.key, at: time.epochSeconds) {
                return .now(response(token, wanted, at: time))
            }
            return .afterWork { time in mint(wanted, at: time) }
        } catch {
            if case .unknownKind = error { route = request.withPath(TokenPath.routeWithoutKind) }
            return .now(ProblemAnswer.answer(error, route: route))
        }
    }

    private func wanted(_ request: borrowing HTTPRequest, _ path: TokenPath) throws(TokenProblem) -> WantedToken {
        // Nobody is known to be asked for who they are yet, so nobody gets what opens everything.
        if let kind = path.kind, kind.isWildcard {
            _ = try kinds.minter(of: kind)
            throw .callerRequired(kind)
        }
        var query = TokenQuery()
        if let id = path.id, let parameter = path.kind?.pathParameter {
            try request.withPath { path throws(TokenProblem) in
                try query.ids.add(parameter, path, id, place: "the path's id")
            }
        }
        _ = try request.withQuery { text throws(TokenProblem) in try query.read(text, ignoring: ignoredParameters) }
        let claims = try query.ids.claims(of: path.kind, called: path.name)
        let minter = try kinds.minter(of: claims.kind)
        return WantedToken(
            key: TokenKey(claims: claims, profile: minter.profile), minter: minter, form: try form(query, path),
            route: path.route)
    }

    private func form(_ query: TokenQuery, _ path: TokenPath) throws(TokenProblem) -> AnswerForm {
        let natural = path.kind.map { AnswerFormat(pathOf: $0) } ?? .sdk
        let format = query.format ?? path.format ?? natural
        guard format == .sdk || query.expiration == nil else { throw .foreignExpiration(format) }
        return AnswerForm(format, query.expiration ?? answer.expiration)
    }

    /// Signs, unless another request for the same token has signed meanwhile.
    private func mint(_ wanted: WantedToken, at time: ServerTime) -> HTTPResponse {
        do throws(SigningError) {
            let now = time.epochSeconds
            let token = try cache.token(for: wanted.key, at: now) { () throws(SigningError) in
                let token = try sign(wanted, at: now)
                return CachedToken(
                    token: token, rendered: answer.body(token, wanted.key.claims.kind, wanted.form, at: now),
                    form: wanted.form.rawValue, annotation: label.text(for: wanted.key.claims))
            }
            return response(token, wanted, at: time)
        } catch {
            let subject = label.text(for: wanted.key.claims)
            return ProblemAnswer.answer(.signingUnavailable, route: wanted.route, subject: subject)
        }
    }

    /// Signs, and says what went wrong even where an older token can stand in.
    private func sign(_ wanted: WantedToken, at now: Int64) throws(SigningError) -> MintedToken {
        do {
            return try wanted.minter.mint(wanted.key.claims, at: now)
        } catch {
            logger.error("no token could be signed", metadata: ["reason": "\(error.reason)"])
            throw error
        }
    }

    private func response(_ token: CachedToken, _ wanted: WantedToken, at time: ServerTime) -> HTTPResponse {
        HTTPResponse(
            status: .ok, fields: TokenAnswer.fields,
            body: answer.body(token, wanted.key.claims.kind, wanted.form, at: time.epochSeconds),
            annotation: HTTPAnnotation(route: wanted.route, subject: token.annotation))
    }
}

/// What one request asks for, resolved.
private struct WantedToken {
    let key: TokenKey
    let minter: TokenMinter
    let form: AnswerForm
    let route: String
}
