/// Stops calls to a service that fails, and probes it with one call at a time: a state machine without a clock. Times are
/// those of `SigningClock.monotonic`.
package struct CircuitBreaker: Sendable {
    /// The fewest calls in the window by which the service is judged.
    package static let minCalls = 20
    /// How long calls are stopped before a probe.
    package static let openTime = Duration.seconds(5)
    /// How long a probe keeps others waiting.
    package static let probeTime = Duration.seconds(3)

    /// How a call ended.
    package enum Outcome: Hashable, Sendable {
        /// The service answered, whatever it said.
        case success
        /// It did not answer, or said that it is broken.
        case failure
        /// The call was not made, so it says nothing.
        case unknown
    }

    /// A call that may be made; its outcome must be recorded.
    package struct Permit: Hashable, Sendable {
        fileprivate let round: Int
    }

    /// Whether a call may be made.
    package enum Admission: Hashable, Sendable {
        case allowed(Permit)
        /// Not before this time has passed.
        case refused(retryAfter: Duration)
    }

    /// A change that is worth a line in the log. A failed probe is none.
    package enum Change: Hashable, Sendable {
        /// So many of so many calls failed within the window.
        case opened(failures: Int, calls: Int)
        /// A probe succeeded after this time.
        case closed(after: Duration)

        /// Why, for the log.
        package var reason: String {
            switch self {
            case .opened(let failures, let calls):
                "\(failures) of \(calls) calls failed in \(CallWindow.seconds) s; "
                    + "probing every \(CircuitBreaker.openTime.wholeSeconds) s"
            case .closed(let time):
                "a call succeeded after a pause of \(time.wholeSeconds) s"
            }
        }
    }

    private enum State {
        case closed
        case open(until: Duration)
        /// One call is probing; after this time another one does.
        case halfOpen(until: Duration)
    }

    private var state = State.closed
    private var window = CallWindow()
    /// Changes with the state: calls admitted in another round are not counted.
    private var round = 0
    private var openedAt = Duration.zero

    /// A breaker that lets calls through.
    package init() {}

    /// Whether calls are stopped, but for a probe.
    package var isOpen: Bool {
        if case .closed = state { false } else { true }
    }

    /// Whether one call is probing.
    func isProbing(at now: Duration) -> Bool {
        if case .halfOpen(let until) = state { now < until } else { false }
    }

    /// Asks for a call.
    package mutating func admit(at now: Duration) -> Admission {
        switch state {
        case .closed: return .allowed(Permit(round: round))
        case .open(let until) where now < until: return .refused(retryAfter: until - now)
        case .halfOpen(let until) where now < until: return .refused(retryAfter: .seconds(1))
        case .open:
            enter(.halfOpen(until: now + Self.probeTime))
            return .allowed(Permit(round: round))
        case .halfOpen:
            // The earlier probe still counts.
            state = .halfOpen(until: now + Self.probeTime)
            return .allowed(Permit(round: round))
        }
    }

    /// Records a call's outcome; returns the change of state that it causes.
    package mutating func record(_ outcome: Outcome, of permit: Permit, at now: Duration) -> Change? {
        guard permit.round == round else { return nil }
        switch (state, outcome) {
        case (.open, _), (.closed, .unknown): return nil
        case (.closed, _): return count(isFailure: outcome == .failure, at: now)
        case (.halfOpen, .success):
            enter(.closed)
            window = CallWindow()
            return .closed(after: now - openedAt)
        case (.halfOpen, .failure): enter(.open(until: now + Self.openTime))
        case (.halfOpen, .unknown): enter(.open(until: now))
        }
        return nil
    }

    private mutating func count(isFailure: Bool, at now: Duration) -> Change? {
        window.add(isFailure: isFailure, at: now)
        let (calls, failures) = window.totals(at: now)
        guard isFailure, calls >= Self.minCalls, 2 * failures >= calls else { return nil }
        openedAt = now
        enter(.open(until: now + Self.openTime))
        return .opened(failures: failures, calls: calls)
    }

    private mutating func enter(_ state: State) {
        self.state = state
        round += 1
    }
}

/// Calls and failures of the last seconds, counted for each second.
struct CallWindow: Sendable {
    /// The window's length.
    static let seconds: Int64 = 10

    private struct Slot {
        var second: Int64 = .min
        var calls = 0
        var failures = 0
    }

    private var slots = [Slot](repeating: Slot(), count: Int(seconds))

    /// Counts a call that ended now.
    mutating func add(isFailure: Bool, at now: Duration) {
        let second = now.components.seconds
        let index = Int(second.magnitude % UInt64(Self.seconds))
        if slots[index].second != second { slots[index] = Slot(second: second) }
        slots[index].calls += 1
        if isFailure { slots[index].failures += 1 }
    }

    /// The sums of the window that ends now.
    func totals(at now: Duration) -> (calls: Int, failures: Int) {
        let oldest = now.components.seconds - Self.seconds
        return slots.reduce(into: (0, 0)) { sums, slot in
            guard slot.second > oldest else { return }
            sums.0 += slot.calls
            sums.1 += slot.failures
        }
    }
}
