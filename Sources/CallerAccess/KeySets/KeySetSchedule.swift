/// When an issuer's keys are fetched, and for how long the last good ones are used: a state machine without a clock and
/// without a network. Times are seconds of a clock that never goes back.
package struct KeySetSchedule: Sendable {
    /// What an unknown `kid` leads to.
    package enum UnknownKey: Hashable, Sendable {
        /// Begin a fetch, which may bring the key.
        case fetch
        /// A pending fetch may bring the key.
        case wait
        /// A fetch for an unknown key began a short time ago: a client must not cause fetches at will.
        case refuse
    }

    /// Seconds between two fetches for unknown keys.
    package static let unknownKeyPause: Int64 = 30
    /// Seconds until the next fetch where the provider does not say (RFC 9111 section 4.2.2 leaves it to us).
    package static let usualAge: Int64 = 900
    /// The range to which the provider's own seconds are limited: a key that the provider withdrew is not used for longer.
    package static let ages: ClosedRange<Int64> = 60...3600
    /// The longest pause after failures, in seconds.
    package static let longestPause: Int64 = 60

    private enum State {
        case waiting(until: Int64)
        case fetching
    }

    private let keep: Int64
    private var state: State
    /// Whether the pending fetch may bring keys of before they were withdrawn.
    package private(set) var isOutdated = false
    private var failures = 0
    private var fetchedAt: Int64?
    private var nextForUnknownKey = Int64.min

    /// A schedule that begins with a fetch; the last good keys are used for `keep` seconds after they were fetched.
    package init(keep: Int64, at now: Int64) {
        self.keep = keep
        state = .waiting(until: now)
    }

    /// Whether to begin a fetch now; if so, it counts as begun.
    package mutating func beginsFetch(at now: Int64) -> Bool {
        guard case .waiting(let until) = state, now >= until else { return false }
        state = .fetching
        return true
    }

    /// A token names a key that the keys do not have.
    package mutating func unknownKey(at now: Int64) -> UnknownKey {
        if case .fetching = state { return .wait }
        guard now >= nextForUnknownKey else { return .refuse }
        nextForUnknownKey = now + Self.unknownKeyPause
        state = .fetching
        return .fetch
    }

    /// Keys may have been withdrawn: the next fetch is due at once, or when the pending one has ended.
    package mutating func expectChange(at now: Int64) {
        switch state {
        case .waiting: state = .waiting(until: now)
        case .fetching: isOutdated = true
        }
    }

    /// The fetch brought keys, which the provider calls fresh for `age` seconds, if it says so.
    package mutating func succeeded(at now: Int64, age: Int64?) {
        failures = 0
        fetchedAt = now
        let age = min(max(age ?? Self.usualAge, Self.ages.lowerBound), Self.ages.upperBound)
        // Before the last good keys expire, whatever the provider says.
        wait(min(age, max(1, keep / 2)), from: now)
    }

    /// The fetch brought nothing: again after 1, 2, 4 seconds and so on.
    package mutating func failed(at now: Int64) {
        failures += 1
        wait(min(Self.longestPause, 1 << min(Int64(failures - 1), 6)), from: now)
    }

    /// The provider has no keys any more, so that the last good ones end now.
    package mutating func withdrew() { fetchedAt = nil }

    private mutating func wait(_ seconds: Int64, from now: Int64) {
        state = .waiting(until: isOutdated ? now : now + seconds)
        isOutdated = false
    }

    /// When to do the next thing: a fetch, or dropping the last good keys; nil while a fetch is pending and there are no
    /// keys to drop.
    package var nextStep: Int64? {
        guard case .waiting(let until) = state else { return keysEnd }
        return min(until, keysEnd ?? until)
    }

    /// Whether the last good keys have expired; true once for each time they expire.
    package mutating func endsKeys(at now: Int64) -> Bool {
        guard let keysEnd, now >= keysEnd else { return false }
        fetchedAt = nil
        return true
    }

    /// Seconds since the keys were fetched; nil while there are none.
    package func age(at now: Int64) -> Int64? { fetchedAt.map { max(0, now - $0) } }

    /// Seconds until the keys expire unless others are fetched before; nil while there are none.
    package func timeLeft(at now: Int64) -> Int64? { keysEnd.map { max(0, $0 - now) } }

    private var keysEnd: Int64? { fetchedAt.map { $0 + keep } }
}
