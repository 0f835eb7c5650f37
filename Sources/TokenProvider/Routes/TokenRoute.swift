import FleetEngineToken
import HTTPServer
import Logging

/// `GET /token`: the only place that knows both sides, the request and the token. Errors become answers here.
struct TokenRoute: Sendable {
    /// One minter for each kind that is served.
    let minters: PerKind<TokenMinter>
    let cache: TokenCache
    let answer: TokenAnswer
    /// Names of query parameters to ignore, as bytes of UTF-8.
    let ignoredParameters: Set<[UInt8]>
    let label: IDLabel
    let logger: Logger

    func respond(to request: borrowing HTTPRequest, at time: ServerTime) -> HTTPAnswer {
        do throws(TokenProblem) {
            let wanted = try wanted(request)
            if let token = cache.fresh(wanted.key, at: time.epochSeconds) {
                return .now(response(token, wanted, at: time))
            }
            return .afterWork { time in mint(wanted, at: time) }
        } catch {
            return .now(ProblemAnswer.answer(error, route: Router.tokenPath))
        }
    }

    private func wanted(_ request: borrowing HTTPRequest) throws(TokenProblem) -> WantedToken {
        guard request.method == .get || request.method == .head else {
            throw .methodNotAllowed(allowed: Router.readMethods)
        }
        let query = try request.withQuery { query throws(TokenProblem) in
            try TokenQuery(query, ignoring: ignoredParameters)
        }
        guard let query else { throw .missingID }
        guard let minter = minters[query.claims.kind] else { throw .kindOff(query.claims.kind) }
        return WantedToken(
            claims: query.claims, key: TokenKey(claims: query.claims, profile: minter.profile), minter: minter,
            expiration: query.expiration ?? answer.names.expiration)
    }

    /// Signs, unless another request for the same token has signed meanwhile.
    private func mint(_ wanted: WantedToken, at time: ServerTime) -> HTTPResponse {
        do throws(SigningError) {
            let now = time.epochSeconds
            let token = try cache.token(for: wanted.key, at: now) { () throws(SigningError) in
                let token = try sign(wanted, at: now)
                return CachedToken(
                    token: token, rendered: answer.absolute(token, wanted.claims.kind),
                    annotation: label.text(for: wanted.claims))
            }
            return response(token, wanted, at: time)
        } catch {
            let subject = label.text(for: wanted.claims)
            return ProblemAnswer.answer(.signingUnavailable, route: Router.tokenPath, subject: subject)
        }
    }

    /// Signs, and says what went wrong even where an older token can stand in.
    private func sign(_ wanted: WantedToken, at now: Int64) throws(SigningError) -> MintedToken {
        do {
            return try wanted.minter.mint(wanted.claims, at: now)
        } catch {
            logger.error("no token could be signed", metadata: ["reason": "\(error.reason)"])
            throw error
        }
    }

    private func response(_ token: CachedToken, _ wanted: WantedToken, at time: ServerTime) -> HTTPResponse {
        let body =
            switch wanted.expiration {
            case .absolute: token.rendered
            case .relative: answer.relative(token.token, wanted.claims.kind, at: time.epochSeconds)
            }
        return HTTPResponse(
            status: .ok, fields: TokenAnswer.fields, body: body,
            annotation: HTTPAnnotation(route: Router.tokenPath, subject: token.annotation))
    }
}

/// What one request asks for, resolved.
private struct WantedToken {
    let claims: PrivateClaims
    let key: TokenKey
    let minter: TokenMinter
    let expiration: Configuration.Answer.Expiration
}
