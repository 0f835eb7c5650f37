import Foundation

/// All that the client knows of one subject: its token, who waits for one, and the work that brings the next.
///
/// A value without a clock or a connection: an event, which has its time with it, changes the state and returns what is
/// to be done. All times are seconds of the monotonic clock.
struct TokenSlot: Sendable {
    typealias WaiterID = Int

    /// What happens to a subject.
    enum Event: Sendable {
        /// A caller waits for the token until its deadline.
        case asked(WaiterID, deadline: TimeInterval)
        /// The app will need the token, but does not wait.
        case prefetched(until: TimeInterval)
        /// A caller's task was cancelled.
        case cancelled(WaiterID)
        /// The app rejects tokens that were requested before.
        case invalidated
        /// A try has ended.
        case ended(TokenEffort.ID, TryOutcome)
        /// A moment of `nextEvent` has come.
        case due
    }

    /// What is to be done, in this order.
    enum Action {
        /// Begins a try.
        case send(TokenEffort.ID, freshCredentials: Bool)
        /// Ends the current try, whose outcome no longer matters.
        case cancelSend
        /// Gives callers what they waited for.
        case answer([WaiterID], Result<FleetEngineAccessToken, TokenProviderError>)
        /// Makes every subject wait: the server counts the requests for all of them together.
        case pauseAll(TokenPause)
    }

    /// When an event happens, and what the client knows besides.
    struct Moment: Sendable {
        let now: ClockReading
        let random: Double
        /// Until when the server accepts no request at all.
        let pause: TokenPause?

        var time: TimeInterval { now.monotonic }
    }

    /// What goes on to fetch a token.
    enum Work {
        case idle
        /// A try has been sent, and has failed if it has not ended by then.
        case sending(TokenEffort, until: TimeInterval)
        /// The next try is made at this time.
        case waiting(TokenEffort, until: TimeInterval)
    }

    var work = Work.idle
    var waiters: [(id: WaiterID, deadline: TimeInterval)] = []
    private(set) var lease: TokenLease?
    /// Whether the app has used the token since it arrived. An unused token is not renewed.
    private var isWanted = false
    /// No renewal before this time.
    var nextRenewal = -TimeInterval.infinity
    /// Until when the server accepts no request for this subject.
    var pause: TokenPause?

    /// Whether there is nothing to remember.
    var isEmpty: Bool {
        guard case .idle = work else { return false }
        return lease == nil && waiters.isEmpty && pause == nil
    }

    /// The cached token, which is then in use; nil if a caller must wait, or if the renewal is due.
    mutating func use(at now: ClockReading) -> FleetEngineAccessToken? {
        guard let lease, let token = lease.token(at: now), secondsToRenewal(lease, now) > 0 else { return nil }
        isWanted = true
        return token
    }

    /// Changes the state, and returns what is to be done.
    mutating func handle(_ event: Event, at moment: Moment) -> [Action] {
        var actions: [Action] = []
        switch event {
        case .due: break
        case .asked(let id, let deadline):
            isWanted = true
            ask(id, until: deadline, moment, &actions)
        case .prefetched(let end):
            isWanted = true
            if lease?.token(at: moment.now) == nil { begin(keptUntil: end, moment, &actions) }
        case .cancelled(let id):
            waiters.removeAll { $0.id == id }
        case .invalidated: invalidate(moment, &actions)
        case .ended(let id, let outcome): end(id, outcome, moment, &actions)
        }
        settle(moment, &actions)
        return actions
    }

    /// Seconds until the state must be looked at again; nil if no time changes it. At least a millisecond, so that the
    /// rounding of the clocks cannot make the client look again and again.
    func nextEvent(at now: ClockReading) -> TimeInterval? {
        var times = waiters.map { $0.deadline - now.monotonic }
        switch work {
        case .idle: break
        case .sending(_, let end), .waiting(_, let end): times.append(end - now.monotonic)
        }
        if let pause { times.append(pause.end - now.monotonic) }
        if let lease {
            times.append(lease.secondsLeft(at: now))
            if case .idle = work, isWanted { times.append(secondsToRenewal(lease, now)) }
        }
        return times.min().map { max($0, 0.001) }
    }

    // MARK: -

    private mutating func ask(
        _ id: WaiterID, until deadline: TimeInterval, _ moment: Moment, _ actions: inout [Action]
    ) {
        if let token = lease?.token(at: moment.now) {
            actions.append(.answer([id], .success(token)))
            return
        }
        waiters.append((id, deadline))
        if case .waiting(let effort, let end) = work {
            failWaiters(before: end, effort.lastError.waiting(end - moment.time), &actions)
        } else {
            begin(keptUntil: deadline, moment, &actions)
        }
    }

    private mutating func invalidate(_ moment: Moment, _ actions: inout [Action]) {
        if case .sending = work { actions.append(.cancelSend) }
        (lease, work) = (nil, .idle)
        (isWanted, nextRenewal) = (!waiters.isEmpty, -.infinity)
        if let deadline = waiters.map(\.deadline).max() { begin(keptUntil: deadline, moment, &actions) }
    }

    /// What the time alone changes.
    private mutating func settle(_ moment: Moment, _ actions: inout [Action]) {
        if let end = pause?.end, end <= moment.time { pause = nil }
        switch work {
        case .idle: break
        case .sending(let effort, let end) where end <= moment.time:
            actions.append(.cancelSend)
            fail(effort, .unreachable(URLError(.timedOut)), retryAfter: nil, moment, &actions)
        case .sending(let effort, _):
            // With what is known by now.
            failWaiters(before: moment.time, effort.lastError, &actions)
        case .waiting(let effort, let end) where end <= moment.time: start(effort, moment, &actions)
        case .waiting: break
        }
        guard let lease else { return }
        if lease.secondsLeft(at: moment.now) <= 0 {
            self.lease = nil
        } else if isWanted, case .idle = work, secondsToRenewal(lease, moment.now) <= 0 {
            begin(keptUntil: moment.time + lease.secondsLeft(at: moment.now), moment, &actions)
        }
    }

    private func secondsToRenewal(_ lease: TokenLease, _ now: ClockReading) -> TimeInterval {
        max(lease.secondsToRenewal(at: now), nextRenewal - now.monotonic)
    }

    /// Gives a new token to all who wait; false if its time is up already.
    mutating func install(_ lease: TokenLease, at now: ClockReading, _ actions: inout [Action]) -> Bool {
        guard let token = lease.token(at: now) else { return false }
        (self.lease, nextRenewal, work) = (lease, -.infinity, .idle)
        isWanted = !waiters.isEmpty
        actions.append(.answer(waiters.map(\.id), .success(token)))
        waiters = []
        return true
    }
}
