import CallerAccess
import Concurrency
import FleetEngineToken
import HTTPServer
import Logging
import ServiceConfiguration
import StrictJSON

/// Hands out the token of a granted request: a cached one, or a new one. There is no other way to a token, and none here
/// without a `Grant`.
package struct TokenHandout: Sendable {
    package let cache: TokenCache
    package let answer: TokenAnswer
    package let records: TokenRecords
    package let logger: Logger
    /// Measures signatures.
    package var signatures = SignatureMeter()
    /// Tokens of remote signers and hardware; nil if there are none.
    package var remote: RemoteMint?

    /// The answer, at once or after a signature; inlined, so that a cached token costs no copy of the request.
    @inline(__always)
    package func answer(_ request: GrantedRequest, at time: ServerTime) -> HTTPAnswer {
        if let bound = request.grant.bound { return answer(request, within: bound, at: time) }
        let key = TokenKey(claims: request.grant.claims, profile: request.minter.profile)
        if request.minter.isRemote { return answerRemotely(key, request, at: time) }
        if let token = cache.fresh(key, at: time.epochSeconds) { return reuse(token, request, at: time) }
        let batched = request.minter.batchSizes.map { _ in BatchedMint(key, request.minter, for: self) }
        return .afterWork(sharing: batched) { time in mint(key, request.minter, request, at: time, batched) }
    }

    /// The answer with a token that expires no later than the bound. Tokens for decisions of equal length share a cache key,
    /// whatever remains of the decision when one is signed. Each expires with the decision that it was signed for, or before,
    /// so they are cached apart from unbounded ones.
    private func answer(_ request: GrantedRequest, within bound: TokenBound, at time: ServerTime) -> HTTPAnswer {
        refusing(request) { () throws(TokenPolicyError) in
            let minter = request.minter
            let longest = max(1, minter.profile.policy.service - 1)
            let profile = try minter.narrowed(to: min(bound.seconds, longest)).profile
            let key = TokenKey(claims: request.grant.claims, profile: profile)
            if let token = cache.fresh(key, at: time.epochSeconds, endingBy: bound.end) {
                return reuse(token, request, at: time)
            }
            if minter.isRemote {
                guard let left = bound.left(at: time.epochSeconds) else { return refuse(request) }
                let narrowed = try minter.narrowed(to: left)
                let order = order(key, narrowed, request, endingBy: bound.end)
                guard let remote, let token = usable(key, request, within: bound, at: time.epochSeconds) else {
                    return mintRemotely(order, request)
                }
                remote.handedOut(token, at: time.epochSeconds, order)
                return reuse(token, request, at: time)
            }
            return .afterWork { time in
                refusing(request) { () throws(TokenPolicyError) in
                    guard let left = bound.left(at: time.epochSeconds) else { return refuse(request) }
                    let narrowed = try minter.narrowed(to: left)
                    return mint(key, narrowed, request, at: time, endingBy: bound.end)
                }
            }
        }
    }

    /// A cached token that its client can still use.
    private func usable(
        _ key: TokenKey, _ request: GrantedRequest, within bound: TokenBound, at now: Int64
    ) -> CachedToken? {
        let token = cache.usable(key, at: now, leaving: 0, endingBy: bound.end)
        return token.flatMap { answer.expiration(of: $0.times, request.grant.claims.kind) > now ? $0 : nil }
    }

    private func refusing(
        _ request: GrantedRequest, _ answer: () throws(TokenPolicyError) -> HTTPAnswer
    ) -> HTTPAnswer {
        do { return try answer() } catch {
            logger.error("no token could be signed", metadata: ["reason": "\(error.sentence)"])
            return refuse(request)
        }
    }

    /// The answer if no token can be signed, or the back end's decision ended before one was.
    private func refuse(_ request: GrantedRequest) -> HTTPAnswer {
        .now(records.refuse(request.call, .signingUnavailable(), to: request.grant.principal))
    }

    private func reuse(_ token: CachedToken, _ request: GrantedRequest, at time: ServerTime) -> HTTPAnswer {
        records.handOut(response(token, .reused, request, at: time), token, .reused, request)
    }

    /// Signs, unless another request for the same token has signed meanwhile, or the token was signed with others.
    private func mint(
        _ key: TokenKey, _ minter: TokenMinter, _ request: GrantedRequest, at time: ServerTime,
        endingBy end: Int64 = .max, _ batched: BatchedMint? = nil
    ) -> HTTPAnswer {
        let now = time.epochSeconds
        var outcome = AuditRecord.Outcome.reused
        do throws(SigningError) {
            let margin = { answer.margin(of: $0, key.claims.kind) }
            let token = try cache.token(for: key, at: now, endingBy: end, leaving: margin) { () throws(SigningError) in
                let token = if let token = batched?.token { token } else { try sign(key.claims, by: minter, at: now) }
                outcome = .minted
                let form = request.form
                return RenderedToken(
                    token, rendered: answer.body(token, key.claims.kind, form, at: now),
                    form: form.rawValue, annotation: records.label.text(for: key.claims))
            }
            let counted: RequestOutcome = outcome == .minted ? .minted : .reused
            return records.handOut(response(token, counted, request, at: time), token, outcome, request)
        } catch {
            return refuse(request)
        }
    }

    /// Signs, and logs a failure even if a stale token is used instead.
    private func sign(
        _ claims: PrivateClaims, by minter: TokenMinter, at now: Int64
    ) throws(SigningError) -> MintedToken {
        do { return try signatures.measure { () throws(SigningError) in try minter.mint(claims, at: now) } } catch {
            if !error.isReported { logger.error("no token could be signed", metadata: ["reason": "\(error.reason)"]) }
            throw error
        }
    }

    /// The cached token as long as clients can use it, since a background refresh replaces it in time; otherwise one that
    /// Google signs now.
    @inline(never)
    private func answerRemotely(
        _ key: TokenKey, _ request: GrantedRequest, at time: ServerTime
    ) -> HTTPAnswer {
        let margin = answer.margin(of: key.claims.kind)
        if let remote, let token = cache.usable(key, at: time.epochSeconds, leaving: margin) {
            remote.handedOut(token, at: time.epochSeconds, order(key, request.minter, request))
            return reuse(token, request, at: time)
        }
        return mintRemotely(order(key, request.minter, request), request)
    }

    private func mintRemotely(_ order: RemoteOrder, _ request: GrantedRequest) -> HTTPAnswer {
        guard let remote else { return refuse(request) }
        let identified = GrantedRequest(
            grant: request.grant, minter: request.minter, form: request.form, call: request.call.identified)
        let waiting = WaitingRequest(handout: self, request: identified)
        return .later { promise in remote.token(order) { waiting.handOut($0, by: promise) } }
    }

    fileprivate func handOut(
        _ result: Result<CachedToken, RemoteSigningError>, _ request: GrantedRequest, at time: ServerTime
    ) -> HTTPAnswer {
        switch result {
        case .success(let token):
            return records.handOut(response(token, .minted, request, at: time), token, .minted, request)
        case .failure(let error):
            // The mint logs outages, once for each account.
            let problem = TokenProblem.signingUnavailable(retryAfter: error.retryAfter)
            return .now(records.refuse(request.call, problem, to: request.grant.principal))
        }
    }

    private func order(
        _ key: TokenKey, _ minter: TokenMinter, _ request: GrantedRequest, endingBy end: Int64 = .max
    ) -> RemoteOrder {
        let form = request.form
        return RemoteOrder(key: key, minter: minter, endingBy: end) { [answer, label = records.label] token, now in
            RenderedToken(
                token, rendered: answer.body(token, key.claims.kind, form, at: now), form: form.rawValue,
                annotation: label.text(for: key.claims))
        }
    }

    private func response(
        _ token: CachedToken, _ outcome: RequestOutcome, _ request: GrantedRequest, at time: ServerTime
    ) -> HTTPResponse {
        HTTPResponse(
            status: .ok, fields: TokenAnswer.fields,
            content: answer.content(token, request.grant.claims.kind, request.form, at: time.epochSeconds),
            annotation: records.label.isNone
                ? HTTPAnnotation()
                : HTTPAnnotation(route: request.call.route, subject: token.annotation, rule: request.grant.rule ?? ""),
            tally: AnswerTally(
                request.call.category, outcome, by: CredentialType(request.grant.principal.authentication)))
    }
}

extension CachedToken: SharedContent {}

/// A request that waits for a remote signature. One object, since a closure that captured what it holds would copy it.
private final class WaitingRequest: Sendable {
    private let handout: TokenHandout
    private let request: GrantedRequest
    private let began = MonotonicTime.now()

    init(handout: TokenHandout, request: GrantedRequest) { (self.handout, self.request) = (handout, request) }

    func handOut(_ result: Result<CachedToken, RemoteSigningError>, by promise: LateAnswer) {
        if case .success = result { handout.signatures.add(since: began) }
        promise.give(handout.handOut(result, request, at: .now()))
    }
}

/// Renders a token's answer: JSON in the format that its client reads.
package struct TokenAnswer: Sendable {
    static let fields = HTTPFields.unstored("application/json")

    /// The shape of each form, by its raw value, and kind.
    private let shapes: [PerKind<AnswerShape>]
    private let margins: PerKind<ClientMargin>

    /// `margin` is called once for each kind.
    init(names: Configuration.Answer, margin: (TokenKind) -> ClientMargin) {
        shapes = AnswerForm.allCases.map { form in PerKind { AnswerShape(form, of: $0, names: names) } }
        margins = PerKind(margin)
    }

    /// The body of an answer at `now`, in seconds since the epoch.
    func body(_ token: MintedToken, _ kind: TokenKind, _ form: AnswerForm, at now: Int64) -> [UInt8] {
        body(token.jwt[...], token.times, kind, form, at: now)
    }

    private func body(
        _ jwt: ArraySlice<UInt8>, _ times: SignedTimes, _ kind: TokenKind, _ form: AnswerForm, at now: Int64
    ) -> [UInt8] {
        let shape = shapes[form.rawValue][kind]
        var json = JSONWriter(reserving: shape.tokenNames.count * jwt.count + 160)
        json.object { answer in
            for name in shape.tokenNames { answer.member(name, jwt: jwt) }
            for (name, time) in shape.times { answer.member(name, value(time, of: times, kind, at: now)) }
        }
        return json.bytes
    }

    /// The content for a cached token: the cached answer, if it has this form and does not change with time. Only
    /// otherwise is the kind read.
    func content(
        _ cached: CachedToken, _ kind: @autoclosure () -> TokenKind, _ form: AnswerForm, at now: Int64
    ) -> HTTPContent {
        if cached.form == form.rawValue, !form.isRelative { return .shared(cached) }
        return .bytes(body(cached.jwt[...], cached.times, kind(), form, at: now))
    }

    /// When clients should fetch the next token, in seconds since the epoch.
    func expiration(of token: SignedTimes, _ kind: TokenKind) -> Int64 {
        token.expiresAt - margin(of: token, kind)
    }

    /// The seconds by which the expiry in the token's answer precedes `exp`.
    func margin(of token: SignedTimes, _ kind: TokenKind) -> Int64 { margins[kind].seconds(of: token) }

    /// The seconds by which the expiry in an answer precedes `exp`.
    func margin(of kind: TokenKind) -> Int64 { margins[kind].configured }

    private func value(_ time: AnswerShape.Time, of token: SignedTimes, _ kind: TokenKind, at now: Int64) -> Int64 {
        let expiration = expiration(of: token, kind)
        return switch time {
        case .expiration: expiration
        case .secondsLeft: max(0, expiration - now)
        case .expirationMilliseconds: expiration * 1000
        case .creationMilliseconds: token.issuedAt * 1000
        }
    }
}

/// How long before the signed expiration clients should fetch the next token, so that none uses a token in its last
/// seconds.
struct ClientMargin: Sendable {
    /// The configured margin in seconds.
    let configured: Int64
    private let lifetime: Int64
    private let backdate: Int64

    /// The configured margin, for tokens of the configured lifetime.
    init(_ settings: Configuration.Token) {
        (configured, lifetime, backdate) = (settings.clientMargin, settings.lifetime, settings.backdate)
    }

    /// The seconds for a token. A token whose lifetime a back end shortened has a proportional margin as long as it is
    /// cached (`cache.reuse_fraction` of its life), and at most half of the life that it has when signed: no client gets a
    /// token whose announced expiration has passed.
    func seconds(of token: SignedTimes) -> Int64 {
        let life = token.expiresAt - token.issuedAt
        guard life < lifetime else { return configured }
        return min(configured * life / lifetime, (life - backdate) / 2)
    }
}
