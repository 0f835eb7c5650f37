/// When an account's published keys are fetched: a state machine without a clock or a network. Times are those of
/// `SigningClock.monotonic`. At most one fetch is pending.
package struct PublishedKeySchedule: Sendable {
    /// What an unknown key leads to.
    package enum UnknownKey: Hashable, Sendable {
        /// Begin a fetch, which may bring the key.
        case fetch
        /// The pending fetch may bring the key.
        case wait
        /// There was a fetch a short time ago: not before this time has passed.
        case refuse(retryAfter: Duration)
    }

    /// How long keys are fresh if the answer does not say.
    package static let usualAge = Duration.seconds(3600)
    /// The range to which the answer's own time is limited.
    package static let ages = Duration.seconds(60)...Duration.seconds(86_400)
    /// The longest pause after failures, and between fetches that bring no unknown key.
    package static let longestPause = Duration.seconds(60)

    private var isFetching = false
    private var hasKeys = false
    private var failures = 0
    /// When the keys were fetched, and until when they are fresh; nil without keys.
    private var fetched: ClosedRange<Duration>?
    /// When keys are fetched again because they are old, or a fetch failed.
    private var nextFetch: Duration?
    private var nextForUnknownKey: Duration?
    /// How many fetches for unknown keys brought none.
    private var fruitlessFetches = 0

    /// A schedule before the first fetch.
    package init() {}

    /// Whether to begin a fetch now, as the keys are old or missing; if so, it counts as begun.
    package mutating func beginsFetch(at now: Duration) -> Bool {
        guard !isFetching, nextFetch.map({ now >= $0 }) ?? true else { return false }
        isFetching = true
        return true
    }

    /// A token names a key that is not among the keys.
    package mutating func unknownKey(at now: Duration) -> UnknownKey {
        if isFetching { return .wait }
        if let next = hasKeys && failures == 0 ? nextForUnknownKey : nextFetch, now < next {
            return .refuse(retryAfter: next - now)
        }
        if hasKeys {
            nextForUnknownKey = now + Self.pause(after: fruitlessFetches)
            fruitlessFetches += 1
        }
        isFetching = true
        return .fetch
    }

    /// The fetch brought keys that are fresh for this time, if the answer says so. If none of them is new, the next fetch for
    /// an unknown key waits for longer: a new key may be published a moment after it signs.
    package mutating func succeeded(at now: Duration, age: Duration?, bringsNew: Bool) {
        (isFetching, hasKeys, failures) = (false, true, 0)
        if bringsNew { fruitlessFetches = 0 }
        let end = now + min(max(age ?? Self.usualAge, Self.ages.lowerBound), Self.ages.upperBound)
        (nextFetch, fetched) = (end, now...end)
    }

    /// How long ago the keys were fetched, and for how long they are still fresh; nil without keys. Old keys verify too.
    package func term(at now: Duration) -> (age: Duration, left: Duration)? {
        fetched.map { (max(.zero, now - $0.lowerBound), max(.zero, $0.upperBound - now)) }
    }

    /// The fetch brought nothing: again after 1, 2, 4 seconds and so on.
    package mutating func failed(at now: Duration) {
        isFetching = false
        nextFetch = now + Self.pause(after: failures)
        failures += 1
    }

    private static func pause(after failures: Int) -> Duration { min(longestPause, .seconds(1 << min(failures, 6))) }
}
