/// When a value of another service is fetched again, and for how long the last one is used: a state machine without a clock
/// and without a network. Times are those of one clock that never goes back. At most one fetch is pending.
package struct FetchSchedule: Sendable {
    /// For how long a fetched value is of use.
    package struct Freshness: Hashable, Sendable {
        /// When it is fetched again, after this time.
        let renewal: Duration
        /// When it is not used any more; nil if it is used until there is another.
        let end: Duration?

        /// A value that is fetched again after one time, and not used any more after the other.
        package init(renewal: Duration, end: Duration? = nil) {
            (self.renewal, self.end) = (renewal, end)
        }
    }

    /// What follows from a demand for another value than the current one.
    package enum Demand: Hashable, Sendable {
        /// Begin a fetch, which may bring it.
        case fetch
        /// The pending fetch may bring it.
        case wait
        /// A fetch began a short time ago: not before this time has passed.
        case refuse(retryAfter: Duration)
    }

    private struct Current {
        let fetched: Duration
        let renewal: Duration
        let end: Duration?
    }

    private let longestPause: Duration
    private let demandPauses: ClosedRange<Duration>
    /// Whether a demand may begin a fetch before the pause after failures has passed.
    private let demandsInterrupt: Bool
    private var current: Current?
    /// Whether the value may have changed since the last fetch began.
    package private(set) var mayHaveChanged = false
    private var isFetching = false
    private var failures = 0
    /// When to fetch again after failures.
    private var pauseEnd = Duration.zero
    private var nextDemand: Duration?
    /// How many demands in a row brought nothing new.
    private var fruitlessDemands = 0

    /// A schedule before the first fetch. Failures pause for 1, 2, 4 seconds and so on; demands too, within a range, as long as
    /// they bring nothing new, so that clients cannot cause fetches at will. With `demandsInterrupt` they wait for their own
    /// pauses alone.
    package init(longestPause: Duration, demandPauses: ClosedRange<Duration>, demandsInterrupt: Bool = false) {
        (self.longestPause, self.demandPauses, self.demandsInterrupt) = (longestPause, demandPauses, demandsInterrupt)
    }

    /// Whether to begin a fetch now, as the value is missing or due; if so, it counts as begun.
    package mutating func startFetchIfDue(at now: Duration) -> Bool {
        guard !isFetching, due.map({ now >= $0 }) ?? true else { return false }
        (isFetching, mayHaveChanged) = (true, false)
        return true
    }

    /// The value may have changed: it is due at once, or when the pending fetch has ended.
    package mutating func expectChange() { mayHaveChanged = true }

    /// Asks for another value than the current one. If the answer is a fetch, it counts as begun.
    package mutating func demand(at now: Duration) -> Demand {
        if isFetching { return .wait }
        let hasOwnPauses = demandsInterrupt || current != nil && failures == 0
        if let next = hasOwnPauses ? nextDemand : due, now < next { return .refuse(retryAfter: next - now) }
        if demandsInterrupt || current != nil {
            nextDemand = now + min(max(demandPauses.lowerBound, Self.pause(fruitlessDemands)), demandPauses.upperBound)
            fruitlessDemands += 1
        }
        (isFetching, mayHaveChanged) = (true, false)
        return .fetch
    }

    /// Drops the value, since its service refuses it: not again before a pause has passed. Whether it was dropped.
    package mutating func discard(at now: Duration) -> Bool {
        guard current != nil, nextDemand.map({ now >= $0 }) ?? true else { return false }
        nextDemand = now + demandPauses.lowerBound
        current = nil
        return true
    }

    /// The last fetch failed because the value was withdrawn.
    package mutating func withdrew() { current = nil }

    /// The fetch brought a value. `isNew` says whether it has what the previous one did not.
    package mutating func succeeded(at now: Duration, _ freshness: Freshness, isNew: Bool = true) {
        (isFetching, failures) = (false, 0)
        if isNew { fruitlessDemands = 0 }
        current = Current(fetched: now, renewal: now + freshness.renewal, end: freshness.end.map { now + $0 })
    }

    /// The fetch brought nothing. `jitter`, 0 to 1, decides on the second half of the pause.
    package mutating func failed(at now: Duration, jitter: Double = 1) {
        isFetching = false
        pauseEnd = now + max(.seconds(1), min(longestPause, Self.pause(failures)) * (1 + max(0, min(1, jitter))) / 2)
        failures += 1
    }

    /// Whether there is a value that is used.
    package func isUsable(at now: Duration) -> Bool {
        guard let current else { return false }
        return current.end.map { now < $0 } ?? true
    }

    /// Whether nothing is fetched for a while after a failure.
    package var isPausing: Bool { failures > 0 && !isFetching }

    /// How long until something is to be done: a fetch, or dropping the value; zero if it is due.
    package func timeToNextStep(at now: Duration) -> Duration {
        let next = isUsable(at: now) ? [due, current?.end].compactMap(\.self).min() : due
        return max(.zero, (next ?? now) - now)
    }

    /// How long ago the value was fetched, and how long until it is fetched again and until it ends; nil without one.
    package func freshness(at now: Duration) -> (age: Duration, renewal: Duration, end: Duration?)? {
        current.map { current in
            (
                max(.zero, now - current.fetched), max(.zero, current.renewal - now),
                current.end.map { max(.zero, $0 - now) }
            )
        }
    }

    private var due: Duration? { mayHaveChanged ? .zero : failures > 0 ? pauseEnd : current?.renewal }

    /// 1, 2, 4 seconds and so on, for a minute and a little more at most.
    private static func pause(_ count: Int) -> Duration { .seconds(1 << min(count, 6)) }
}
