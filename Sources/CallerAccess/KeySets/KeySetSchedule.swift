/// When an issuer's keys are fetched, and for how long the last good ones serve: a machine without a clock and without a
/// network. Times are seconds of a clock that never goes back.
package struct KeySetSchedule: Sendable {
    /// What an unknown `kid` brings about.
    package enum UnknownKey: Hashable, Sendable {
        /// A fetch is to begin, whose end may show the key.
        case fetch
        /// A fetch is on its way, whose end may show the key.
        case wait
        /// One was begun for such a key not long ago: whoever shows unknown keys must not make us fetch at will.
        case refuse
    }

    /// Seconds between two fetches for unknown keys.
    package static let unknownKeyPause: Int64 = 30
    /// Seconds until the next fetch where the provider does not say (RFC 9111 section 4.2.2 leaves it to us).
    package static let usualAge: Int64 = 900
    /// Seconds between which a provider's own word counts.
    package static let ages: ClosedRange<Int64> = 60...86_400
    /// The longest pause after failures, in seconds.
    package static let longestPause: Int64 = 60

    private enum State {
        case waiting(until: Int64)
        case fetching
    }

    private let keep: Int64
    private var state: State
    private var failures = 0
    private var fetchedAt: Int64?
    private var nextForUnknownKey = Int64.min

    /// A schedule that begins with a fetch; the last good keys serve for `keep` seconds after they were fetched.
    package init(keep: Int64, at now: Int64) {
        self.keep = keep
        state = .waiting(until: now)
    }

    /// Whether a fetch is to begin now; it then has.
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

    /// The fetch brought keys, which the provider calls fresh for `age` seconds, if it says so.
    package mutating func succeeded(at now: Int64, age: Int64?) {
        failures = 0
        fetchedAt = now
        let age = min(max(age ?? Self.usualAge, Self.ages.lowerBound), Self.ages.upperBound)
        // Before the last good ones end, whatever the provider says.
        state = .waiting(until: now + min(age, max(1, keep / 2)))
    }

    /// The fetch brought nothing: again after 1, 2, 4 seconds and so on.
    package mutating func failed(at now: Int64) {
        failures += 1
        state = .waiting(until: now + min(Self.longestPause, 1 << min(Int64(failures - 1), 6)))
    }

    /// When there is something to do next: a fetch, or the end of the last good keys; nil while a fetch is on its way and
    /// there are no keys that could end.
    package var nextStep: Int64? {
        guard case .waiting(let until) = state else { return keysEnd }
        return min(until, keysEnd ?? until)
    }

    /// Whether the last good keys have served for long enough; true once for each time they end.
    package mutating func endsKeys(at now: Int64) -> Bool {
        guard let keysEnd, now >= keysEnd else { return false }
        fetchedAt = nil
        return true
    }

    /// Seconds since the keys were fetched; nil while there are none.
    package func age(at now: Int64) -> Int64? { fetchedAt.map { max(0, now - $0) } }

    private var keysEnd: Int64? { fetchedAt.map { $0 + keep } }
}
