import Locking

/// What came of reloads since the start.
final class ReloadOutcomes: Sendable {
    struct Counts: Sendable {
        fileprivate(set) var successes = 0
        fileprivate(set) var failures = 0
        /// Whether the last one succeeded, or there was none.
        fileprivate(set) var lastSucceeded = true
    }

    private let state = Guarded(Counts())

    /// What was noted so far.
    var counts: Counts { state.withLock { $0 } }

    /// Notes what came of one.
    func note(succeeded: Bool) {
        state.withLock { counts in
            if succeeded { counts.successes += 1 } else { counts.failures += 1 }
            counts.lastSucceeded = succeeded
        }
    }
}
