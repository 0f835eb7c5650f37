import Concurrency
import Dispatch
import FleetEngineToken
import Logging

/// Has tokens signed by another service. Requests for the same token share one signature. A token that is still asked for
/// is renewed before half of its lifetime is gone, so that known devices never wait.
package final class RemoteMint: Sendable {
    package typealias Completion = @Sendable (Result<CachedToken, RemoteSigningError>) -> Void

    /// A refused request may try again after a second.
    private static let overload = RemoteSigningError(
        reason: "too many requests wait for remote signatures; expected at most \(maxWaiting)", retryAfter: 1,
        .awaitSignatures)
    private static let maxWaiting = 10_000
    /// The part of the cache's bytes that its plans may take in addition: a token of one id takes five times its plan.
    package static let planPart = 4

    private let cache: TokenCache
    private let clock: @Sendable () -> Int64
    private let random: @Sendable () -> Double
    private let logger: Logger?
    private let flights: Guarded<RemoteFlights>
    private let outages = Guarded(RemoteOutages())
    /// The log says once a minute that our own limits refuse signatures.
    private let refusals = Guarded(LogInterval())
    /// Who signs a kind's tokens since the last reload; nil before.
    private let minters = Guarded<(@Sendable (TokenKind) -> TokenMinter?)?>(nil)
    private let signed = Guarded(SignedTokens())
    private let isStarted = Guarded(false)
    private let queue = DispatchQueue(label: "remote-mint")
    private let executor: (any TaskExecutor)?

    /// A mint that caches its tokens here. The clock is in seconds since the epoch; `random` is from 0 up to 1. Signatures go
    /// on by the executor, on the usual threads without one.
    package init(
        cache: TokenCache, clock: @escaping @Sendable () -> Int64,
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }, on executor: (any TaskExecutor)? = nil,
        logger: Logger?
    ) {
        (self.cache, self.clock, self.random, self.executor, self.logger) = (cache, clock, random, executor, logger)
        flights = Guarded(RemoteFlights(maxWaiting: Self.maxWaiting, planBytes: cache.maxBytes / Self.planPart))
    }

    /// The token, when it is signed. Equal orders share the signature in flight. A request that waits for a renewal that
    /// fails gets one attempt of its own. At most 10,000 wait; more are refused. The completion is called once, before
    /// this returns or on any thread, and must not block.
    package func token(_ order: RemoteOrder, _ completion: @escaping Completion) {
        switch flights.withLock({ $0.admit(order, completion) }) {
        case .wait: return
        case .refuse: completion(.failure(Self.overload))
        case .sign:
            // The signature that another request waited for may have ended since the caller read the cache.
            if let token = justSigned(order) { return end(order, .success(token)) }
            sign(order, .request)
        }
    }

    /// Call it with each cached token that is handed out: it remembers that the token is asked for. Has another signed in
    /// the background if that is due and none is in flight; otherwise it only reads two numbers. Without `now`, in seconds
    /// since the epoch, it reads the clock.
    package func handedOut(_ token: CachedToken, at now: Int64? = nil, _ order: @autoclosure () -> RemoteOrder) {
        token.markAsked()
        let now = now ?? clock()
        guard token.needsRenewal(at: now) else { return }
        let isPlanned = token.hasRenewalPlan
        guard token.claimRenewal(at: now) else { return }
        let order = order()
        let due = isPlanned ? now : renewal(of: token.times, order)
        // A token that has all the time of its bound waits for a request with a later one.
        guard due <= now, order.end > token.times.expiresAt else { return plan(token, order, at: due) }
        renew(token, order, at: now)
    }

    /// The requests that wait, the signatures in flight and the renewals that are planned, now.
    package var figures: (waiting: Int, inFlight: Int, planned: Int) {
        flights.withLock { ($0.waiting, $0.count, $0.planned) }
    }

    /// The accounts whose tokens cannot be signed now.
    package var currentOutages: [RemoteOutage] { outages.withLock { $0.current } }

    /// When the last of the kind's tokens that an account's key signed expires, in seconds since the epoch; nil before the
    /// first.
    package func lastTokenExpiry(of kind: TokenKind, _ profile: SigningProfile) -> Int64? {
        signed.withLock { $0.lastExpiries[SignedTokens.Signer(kind, profile)] }
    }

    /// The tokens that were signed since the start or since the cache was dropped, renewals included.
    package var signatures: Int { signed.withLock { $0.count } }

    private func sign(_ order: RemoteOrder, _ urgency: SigningUrgency) {
        let now = clock()
        let minter: TokenMinter
        do { minter = try order.minter(at: now) } catch { return end(order, .failure(error)) }
        // The mint lives until its last signature has ended, so that every request gets an answer.
        Task.immediate(executorPreference: executor) { [self] in
            let result = await Result(awaiting: { () throws(RemoteSigningError) in
                try await minter.mintRemotely(order.key.claims, at: now, urgency)
            })
            ended(order, urgency, result)
        }
    }

    private func ended(
        _ order: RemoteOrder, _ urgency: SigningUrgency, _ result: Result<MintedToken, RemoteSigningError>
    ) {
        let now = clock()
        note(result, of: order, at: now)
        switch result {
        case .success(let minted):
            let signer = SignedTokens.Signer(order.key.claims.kind, order.minter.profile)
            signed.withLock { $0.add(minted, by: signer, at: now) }
            let due = renewal(of: minted.times, order)
            var rendered = order.render(minted, now)
            // Before a hit can find the token: it would plan the renewal too.
            rendered.renewal = due
            let token = cache.insert(rendered, for: order.key, at: now)
            if urgency == .request || flights.withLock({ $0.isAwaited(order) }) { token.markAsked() }
            plan(token, order, at: due)
            end(order, .success(token))
            if urgency == .refresh { renewDue() }
        case .failure(let error):
            let current = cache.usable(order.key, at: now, leaving: 0, endingBy: order.end)
            cache.countFailure(of: order.key, fallback: urgency == .refresh && current != nil)
            end(order, .failure(error)) { [self] in
                guard let current else { return }
                let retry = RefreshSchedule<RemoteOrder>.retry(after: error.retryAfter, at: now, jitter: random())
                if retry < current.times.expiresAt { plan(current, order, at: retry) }
            }
        }
    }

    /// Completes the requests that wait, or signs for them if only a renewal has failed; `finish` is called before
    /// requests are completed.
    private func end(
        _ order: RemoteOrder, _ result: Result<CachedToken, RemoteSigningError>, _ finish: () -> Void = {}
    ) {
        let succeeded = (try? result.get()) != nil
        switch flights.withLock({ $0.land(order, succeeded: succeeded) }) {
        case .signAgain: sign(order, .request)
        case .done(let waiting):
            finish()
            // Requests may have joined a renewal since it was last looked at.
            if case .success(let token) = result, !waiting.isEmpty { token.markAsked() }
            for completion in waiting { completion(result) }
        }
    }

    /// A token that was signed in this second or the one before.
    private func justSigned(_ order: RemoteOrder) -> CachedToken? {
        let now = clock()
        guard let token = cache.usable(order.key, at: now, leaving: 0, endingBy: order.end),
            now - order.signingTime(of: token.times) <= 1
        else { return nil }
        return token
    }
}

/// What was signed so far.
private struct SignedTokens {
    /// An account that Google signs a kind's tokens for, or a key in hardware.
    struct Signer: Hashable {
        private let kind: TokenKind
        private let account: String
        private let keyID: String

        init(_ kind: TokenKind, _ profile: SigningProfile) {
            (self.kind, account, keyID) = (kind, profile.account, profile.keyID)
        }
    }

    private(set) var count = 0
    /// Only signers with tokens that have not expired, and some that had.
    private(set) var lastExpiries: [Signer: Int64] = [:]

    mutating func add(_ token: MintedToken, by signer: Signer, at now: Int64) {
        count += 1
        if lastExpiries[signer] == nil { lastExpiries = lastExpiries.filter { $0.value > now } }
        let last = lastExpiries[signer] ?? 0
        // Later than any token signed now: the clock was ahead then, and such a token is not valid yet.
        let isOfWrongClock = last - now > TokenPolicy.maxLifetime
        lastExpiries[signer] = isOfWrongClock ? token.expiresAt : max(last, token.expiresAt)
    }
}

/// Renewal in the background.
extension RemoteMint {
    /// Has planned renewals signed by these minters, as a reload may have changed them. A token that would get another key
    /// is not renewed. With `renews`, it begins to renew what is due, and to try again what has failed, each second.
    package func start(signingBy minter: @escaping @Sendable (TokenKind) -> TokenMinter?, renews: Bool) {
        // First: a signature that is in flight now plans its token's renewal later.
        minters.withLock { $0 = minter }
        flights.withLock { $0.replan { $0.replacingMinter(minter) } }
        outages.withLock { $0.replan { $0.replacingNarrowedMinter(minter) } }
        let begins = isStarted.withLock { isStarted in
            defer { isStarted = isStarted || renews }
            return renews && !isStarted
        }
        if begins { scheduleStep() }
    }

    private func current(_ order: RemoteOrder) -> RemoteOrder? {
        guard let minter = minters.withLock({ $0 }) else { return order }
        return order.replacingMinter(minter)
    }

    /// A step of the timer.
    func step() {
        let now = clock()
        // Of tokens that were replaced or have left the cache.
        flights.withLock {
            $0.step(at: now) { cache.usable($0.key, at: now, leaving: 0)?.isRenewed(at: $1) != true }
        }
        renewDue()
        for order in outages.withLock({ $0.due(at: clock()) }) {
            if case .sign = flights.withLock({ $0.depart(order) }) { sign(order, .refresh) }
        }
    }

    private func scheduleStep() {
        queue.asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in
            guard let self else { return }
            step()
            scheduleStep()
        }
    }

    /// Renews the tokens that are due, are asked for and were not replaced meanwhile.
    private func renewDue() {
        guard flights.withLock({ $0.beginRenewing() }) else { return }
        repeat {
            while true {
                let now = clock()
                let due = flights.withLock { $0.takeDue(at: now) }
                if due.isEmpty { break }
                for order in due {
                    // A plan that is not taken leaves the token due: the next hit renews it.
                    guard let token = cache.usable(order.key, at: now, leaving: 0), token.wasAsked,
                        token.hasRenewalPlan, token.claimRenewal(at: now)
                    else { continue }
                    renew(token, order, at: now)
                }
            }
        } while !flights.withLock { $0.endRenewing() }
    }

    /// Renews a token that the caller has claimed.
    private func renew(_ token: CachedToken, _ order: RemoteOrder, at now: Int64) {
        switch flights.withLock({ $0.depart(order) }) {
        case .sign: sign(order, .refresh)
        case .skip: return
        case .postpone:
            plan(token, order, at: RefreshSchedule<RemoteOrder>.postponed(at: now, jitter: random()))
        }
    }

    /// Without space for the plan, and if the order has a bound, the first hit after that time renews the token.
    private func plan(_ token: CachedToken, _ order: RemoteOrder, at second: Int64) {
        token.planRenewal(at: second)
        guard !order.isBounded else { return }
        flights.withLock { flights in
            if let order = current(order) { _ = flights.plan(order, at: second) }
        }
    }

    private func renewal(of token: SignedTimes, _ order: RemoteOrder) -> Int64 {
        RefreshSchedule<RemoteOrder>.renewal(
            signedAt: order.signingTime(of: token), expiresAt: token.expiresAt, jitter: random())
    }

    private func note(_ result: Result<MintedToken, RemoteSigningError>, of order: RemoteOrder, at now: Int64) {
        guard let logger else { return }
        let account = order.minter.profile.account
        switch result {
        case .failure(let error) where error.isOurLimit:
            guard refusals.withLock({ $0.isDue(at: now) }) else { return }
            logger.warning("tokens are not signed for now", metadata: ["reason": "\(error.reason)"])
        case .success:
            guard let seconds = outages.withLock({ $0.succeeded(account, at: now) }) else { return }
            logger.notice("tokens are signed again", metadata: ["account": "\(account)", "after": "\(seconds) s"])
        case .failure(let error):
            guard outages.withLock({ $0.failed(account, at: now, error, order) }) else { return }
            logger.error(
                "tokens cannot be signed", metadata: ["account": "\(account)", "reason": "\(error.reason)"])
        }
    }
}
