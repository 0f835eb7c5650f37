/// Whether a back end is asked at all: while it fails for more than half of the callers, requests to it pause, and single
/// questions try it. A state machine without a clock; times are milliseconds of a clock that never goes back.
///
/// One caller cannot open it for the others: each caller has one vote, however many questions it asks. While it is open, a
/// caller that has not failed tries at once, and a trial that takes long does not keep others from theirs.
package struct CircuitBreaker: Sendable {
    /// A question that was sent. Its end applies only to the state in which it began, so a late end does not change a later
    /// state.
    package struct Attempt: Hashable, Sendable {
        fileprivate let era: Int
        fileprivate let caller: RateLimitKey?
        /// The pause after which this is a trial; nil for other questions, and for an early trial, which does not change the
        /// pause.
        fileprivate var pause: Pause?
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
    /// Milliseconds from one trial to the next, by callers who have not failed or while another has not ended.
    package static let gap: Int64 = 100

    /// The most trials at a time, each by another caller.
    package static let mostTrials = 8

    fileprivate struct Pause: Hashable {
        let end: Int64
        let length: Int64
    }

    private enum State {
        case closed
        /// With the callers of trials that have not ended.
        case open(Pause, trying: Set<RateLimitKey?>)
    }

    private var state = State.closed
    private var era = 0
    private var tally = QuestionTally()
    private var lastTrial: (caller: RateLimitKey?, time: Int64)?

    /// Begins with asking everything.
    package init() {}

    /// Begins a question of a caller, nil for one without a name or an address; nil while nothing is asked.
    package mutating func begin(for caller: RateLimitKey?, at now: Int64) -> Attempt? {
        guard case .open(let pause, var trying) = state else { return Attempt(era: era, caller: caller) }
        let isDue = now >= pause.end && isTurn(of: caller, now, pause) && (trying.isEmpty || isGapOver(at: now))
        guard isDue || mayTryEarly(caller, at: now), trying.count < Self.mostTrials, trying.insert(caller).inserted
        else { return nil }
        lastTrial = (caller, now)
        state = .open(pause, trying: trying)
        return Attempt(era: era, caller: caller, pause: isDue ? pause : nil)
    }

    /// Takes the end of a question.
    package mutating func end(_ attempt: Attempt, _ health: BackEndHealth, at now: Int64) -> Change? {
        guard attempt.era == era else { return nil }
        switch (state, health) {
        case (.closed, _):
            tally.count(health, of: attempt.caller, at: now)
            guard health == .failing, failsForMost else { return nil }
            era += 1
            return open(for: Self.pauses.lowerBound, at: now)
        case (.open, .answering):
            tally = QuestionTally()
            tally.count(health, of: attempt.caller, at: now)
            lastTrial = nil
            (state, era) = (.closed, era + 1)
            return .closed
        // A trial that did not reach the back end (`unknown`) may be repeated.
        case (.open(let pause, var trying), _):
            tally.count(health, of: attempt.caller, at: now)
            trying.remove(attempt.caller)
            state = .open(pause, trying: trying)
            // Trials after one pause lengthen it once.
            guard health == .failing, attempt.pause == pause else { return nil }
            return open(for: min(2 * pause.length, Self.pauses.upperBound), at: now, trying)
        }
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
        caller != nil && !tally.isFailing(caller) && isGapOver(at: now)
    }

    private func isGapOver(at now: Int64) -> Bool { now >= (lastTrial?.time ?? .min / 2) + Self.gap }

    private mutating func open(for length: Int64, at now: Int64, _ trying: Set<RateLimitKey?> = []) -> Change {
        state = .open(Pause(end: now + length, length: length), trying: trying)
        return .opened(pause: length)
    }
}
