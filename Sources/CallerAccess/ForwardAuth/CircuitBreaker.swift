/// Whether a back end is asked at all: after several failures in a row, requests to it pause for a while, and then a single
/// question tries it. A state machine without a clock; times are milliseconds of a clock that never goes back.
package struct CircuitBreaker: Sendable {
    /// A question that was sent. Its end applies only to the state in which it began, so a late end does not change a later
    /// state.
    package struct Attempt: Hashable, Sendable {
        fileprivate let era: Int
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
    /// Failures in a row that open it.
    package static let failures = 5

    private enum State {
        case closed(failures: Int)
        case open(until: Int64, pause: Int64)
        case trying(pause: Int64)
    }

    private var state = State.closed(failures: 0)
    private var era = 0

    /// Begins with asking everything.
    package init() {}

    /// Begins a question; nil while nothing is asked.
    package mutating func begin(at now: Int64) -> Attempt? {
        switch state {
        case .closed: break
        case .open(let until, let pause):
            guard now >= until else { return nil }
            enter(.trying(pause: pause))
        case .trying: return nil
        }
        return Attempt(era: era)
    }

    /// Takes the end of a question.
    package mutating func end(_ attempt: Attempt, _ health: BackEndHealth, at now: Int64) -> Change? {
        guard attempt.era == era else { return nil }
        switch (state, health) {
        case (.closed, .answering): state = .closed(failures: 0)
        case (.closed(let failures), .failing):
            guard failures + 1 >= Self.failures else {
                state = .closed(failures: failures + 1)
                return nil
            }
            return open(for: Self.pauses.lowerBound, at: now)
        case (.trying, .answering):
            enter(.closed(failures: 0))
            return .closed
        case (.trying(let pause), .failing): return open(for: min(2 * pause, Self.pauses.upperBound), at: now)
        // The trial did not reach the back end: the next question is another trial.
        case (.trying(let pause), .unknown): enter(.open(until: now, pause: pause))
        case (.closed, .unknown), (.open, _): break
        }
        return nil
    }

    private mutating func open(for pause: Int64, at now: Int64) -> Change {
        enter(.open(until: now + pause, pause: pause))
        return .opened(pause: pause)
    }

    private mutating func enter(_ next: State) {
        state = next
        era += 1
    }
}
