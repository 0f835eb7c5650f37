import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The tries for one token: three at most, and one more with fresh credentials.
struct TokenEffort: Sendable {
    /// Tells the outcome of the current try from those of earlier ones.
    typealias ID = UUID

    static let maxFailures = 3

    /// The current try.
    var id = ID()
    var failures = 0
    var credentials = Credentials.usual
    /// Why the last try failed; before there is one, what is said of a caller's deadline.
    var lastError = TokenProviderError.unreachable(URLError(.timedOut))
    /// How long it goes on without a waiting caller.
    let keptUntil: TimeInterval

    /// Which credentials the closure is asked for: fresh ones once, after it gave ones that were refused.
    enum Credentials { case usual, fresh, replaced }

    /// Seconds before the next try after a network error: half a second to a second, then twice that.
    func backoff(_ random: Double) -> TimeInterval {
        (0.5 + random / 2) * (failures > 1 ? 2 : 1)
    }
}

/// Until when the server accepts no request, and what it said.
struct TokenPause: Sendable {
    let end: TimeInterval
    let error: TokenProviderError
}

extension TokenSlot {
    /// Begins to fetch a token, unless that goes on already.
    mutating func begin(keptUntil end: TimeInterval, _ moment: Moment, _ actions: inout [Action]) {
        guard case .idle = work else { return }
        start(TokenEffort(keptUntil: end), moment, &actions)
    }

    /// Makes the next try, or waits until the server accepts one.
    mutating func start(_ effort: TokenEffort, _ moment: Moment, _ actions: inout [Action]) {
        let pauses = [pause, moment.pause].compactMap { $0 }.filter { $0.end > moment.time }
        if let pause = pauses.max(by: { $0.end < $1.end }) {
            var effort = effort
            effort.lastError = pause.error.waiting(pause.end - moment.time)
            wait(effort, until: pause.end, &actions)
        } else {
            work = .sending(effort, until: moment.time + TokenTry.limit)
            actions.append(.send(effort.id, freshCredentials: effort.credentials == .fresh))
        }
    }

    /// Waits with the next try; callers whose deadline comes before learn now why.
    private mutating func wait(_ effort: TokenEffort, until end: TimeInterval, _ actions: inout [Action]) {
        work = .waiting(effort, until: end)
        failWaiters(before: end, effort.lastError, &actions)
        if waiters.isEmpty && effort.keptUntil < end { giveUp(effort, until: end) }
    }

    private mutating func giveUp(_ effort: TokenEffort, until renewal: TimeInterval) {
        work = .idle
        nextRenewal = renewal
    }

    mutating func failWaiters(before time: TimeInterval, _ error: TokenProviderError, _ actions: inout [Action]) {
        let late = waiters.filter { $0.deadline <= time }.map(\.id)
        guard !late.isEmpty else { return }
        waiters.removeAll { $0.deadline <= time }
        actions.append(.answer(late, .failure(error)))
    }

    /// The end of a try, unless it is not the current one.
    mutating func end(_ id: TokenEffort.ID, _ outcome: TryOutcome, _ moment: Moment, _ actions: inout [Action]) {
        guard case .sending(var effort, _) = work, effort.id == id else { return }
        switch outcome {
        case .token(let lease) where install(lease, at: moment.now, &actions): break
        // The device slept meanwhile, for longer than the token lives.
        case .token: fail(effort, .unreachable(URLError(.timedOut)), retryAfter: nil, moment, &actions)
        case .unauthenticated where effort.credentials == .usual:
            effort.credentials = .fresh
            effort.id = TokenEffort.ID()
            start(effort, moment, &actions)
        case .refused(let error), .unauthenticated(let error):
            // A decision stays until the app asks again; anything else may pass, such as a captive portal.
            giveUp(effort, until: error.isDecision ? .infinity : moment.time + (lease?.renewalPause ?? 0))
            failWaiters(before: .infinity, error, &actions)
        case .failed(let error, let seconds): fail(effort, error, retryAfter: seconds, moment, &actions)
        }
    }

    /// A failure that another try may repair.
    mutating func fail(
        _ effort: TokenEffort, _ error: TokenProviderError, retryAfter seconds: TimeInterval?, _ moment: Moment,
        _ actions: inout [Action]
    ) {
        var effort = effort
        effort.id = TokenEffort.ID()
        effort.failures += 1
        if effort.credentials == .fresh { effort.credentials = .replaced }
        effort.lastError = error
        // Not all clients at once.
        let wait = seconds.map { $0 + moment.random } ?? effort.backoff(moment.random)
        if seconds != nil {
            let pause = TokenPause(end: moment.time + wait, error: error)
            self.pause = pause
            if case .limited = error { actions.append(.pauseAll(pause)) }
        }
        if effort.failures < TokenEffort.maxFailures {
            self.wait(effort, until: moment.time + wait, &actions)
        } else {
            giveUp(effort, until: moment.time + max(wait, lease?.renewalPause ?? 0))
            failWaiters(before: .infinity, error, &actions)
        }
    }
}
