/// Whether a back end is asked at all: while it fails for more than half of the callers, requests to it pause, and single
/// questions try it. A state machine without a clock; times are milliseconds of a clock that never goes back.
///
/// One caller cannot open it for the others: each caller has one vote, however many questions it asks. While it is open, a
/// caller that has not failed tries at once.
package struct CircuitBreaker: Sendable {
    /// A question that was sent. Its end applies only to the state in which it began, so a late end does not change a later
    /// state.
    package struct Attempt: Hashable, Sendable {
        fileprivate let era: Int
        fileprivate let caller: RateLimitKey?
    }

    /// What the end of a question changed.
    package enum Change: Hashable, Sendable {
        /// Nothing is asked for so many milliseconds.
        case opened(pause: Int64)
        /// Everything is asked again.
        case closed
    }

    /// The first pause in milliseconds, and the one that it doubles to.
    package static let pauses: ClosedRange<Int64> = 1000...30_000
    /// The fewest questions after which it opens.
    package static let fewest = 5
    /// Milliseconds from one trial to the next, by callers who have not failed.
    package static let gap: Int64 = 100

    private struct Pause {
        var end: Int64
        var length: Int64
    }

    private enum State {
        case closed
        case open(Pause)
        /// An early trial does not change the pause.
        case trying(Pause, isEarly: Bool)
    }

    private var state = State.closed
    private var era = 0
    private var tally = QuestionTally()
    private var lastTrial: (caller: RateLimitKey?, time: Int64)?

    /// Begins with asking everything.
    package init() {}

    /// Begins a question of a caller, nil for one without a name or an address; nil while nothing is asked.
    package mutating func begin(for caller: RateLimitKey?, at now: Int64) -> Attempt? {
        switch state {
        case .closed: break
        case .open(let pause):
            let isDue = now >= pause.end && isTurn(of: caller, now, pause)
            guard isDue || mayTryEarly(caller, at: now) else { return nil }
            lastTrial = (caller, now)
            enter(.trying(pause, isEarly: !isDue))
        case .trying: return nil
        }
        return Attempt(era: era, caller: caller)
    }

    /// Takes the end of a question.
    package mutating func end(_ attempt: Attempt, _ health: BackEndHealth, at now: Int64) -> Change? {
        guard attempt.era == era else { return nil }
        switch (state, health) {
        case (.closed, _):
            tally.count(health, of: attempt.caller, at: now)
            guard health == .failing, failsForMost else { return nil }
            return open(for: Self.pauses.lowerBound, at: now)
        case (.trying, .answering):
            tally = QuestionTally()
            tally.count(health, of: attempt.caller, at: now)
            lastTrial = nil
            enter(.closed)
            return .closed
        case (.trying(let pause, let isEarly), .failing):
            tally.count(health, of: attempt.caller, at: now)
            guard isEarly else { return open(for: min(2 * pause.length, Self.pauses.upperBound), at: now) }
            enter(.open(pause))
        // The trial did not reach the back end: the next question is another trial.
        case (.trying(let pause, let isEarly), .unknown):
            enter(.open(isEarly ? pause : Pause(end: now, length: pause.length)))
        case (.open, _): break
        }
        return nil
    }

    private var failsForMost: Bool {
        let (questions, callers, failing) = tally.sums
        return questions >= Self.fewest && 2 * failing > callers
    }

    /// The caller that failed at the last trial lets others go first.
    private func isTurn(of caller: RateLimitKey?, _ now: Int64, _ pause: Pause) -> Bool {
        guard let lastTrial, lastTrial.caller == caller, tally.sums.callers > 1 else { return true }
        return now >= pause.end + pause.length
    }

    private func mayTryEarly(_ caller: RateLimitKey?, at now: Int64) -> Bool {
        caller != nil && !tally.isFailing(caller) && now >= (lastTrial?.time ?? .min / 2) + Self.gap
    }

    private mutating func open(for pause: Int64, at now: Int64) -> Change {
        enter(.open(Pause(end: now + pause, length: pause)))
        return .opened(pause: pause)
    }

    private mutating func enter(_ next: State) {
        state = next
        era += 1
    }
}
