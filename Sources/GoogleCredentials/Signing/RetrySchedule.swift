import FleetEngineToken

/// When a signature is tried again: a state machine without a clock. Times are those of `SigningClock.monotonic`.
///
/// Making a signature again has no side effect, so every passing fault may be tried again (AIP-194).
package struct RetrySchedule: Sendable {
    /// How a try failed.
    package enum Failure: Hashable, Sendable {
        /// Google refused the access token.
        case tokenRejected
        /// It may pass: after this time, if Google says so.
        case transient(retryAfter: Duration?)
        /// Another try would fail in the same way.
        case final
    }

    /// The most tries of one signature, as Google's clients do.
    package static let maxTries = 3
    /// The longest pause before the second try; the next is twice as long.
    package static let firstPause = Duration.seconds(1)

    private let urgency: SigningUrgency
    private let deadline: Duration
    private var tries = 0
    private var hasRejectedToken = false

    /// The schedule of a signature that is asked for now.
    package init(_ urgency: SigningUrgency, at now: Duration) {
        self.urgency = urgency
        deadline = now + urgency.deadline
    }

    /// The time until the deadline, 0 after it.
    package func remaining(at now: Duration) -> Duration { max(.zero, deadline - now) }

    /// Begins a try and returns its time limit; nil if the deadline has passed.
    package mutating func begin(at now: Duration) -> Duration? {
        let remaining = remaining(at: now)
        // The HTTP client measures timeouts in milliseconds.
        guard remaining >= .milliseconds(1) else { return nil }
        tries += 1
        return min(urgency.tryLimit, remaining)
    }

    /// The pause before the next try; nil to give up. `random` is from 0 up to 1.
    package mutating func pause(after failure: Failure, at now: Duration, random: Double) -> Duration? {
        guard tries < Self.maxTries else { return nil }
        switch failure {
        case .final: return nil
        case .tokenRejected:
            defer { hasRejectedToken = true }
            return hasRejectedToken ? nil : .zero
        case .transient(let retryAfter):
            let longest = Self.firstPause * (1 << max(0, tries - 1))
            // Full jitter; after Google's own time too, since it tells all clients the same one.
            let pause = (retryAfter ?? .zero) + longest * random
            return pause < remaining(at: now) ? pause : nil
        }
    }
}

extension SigningUrgency {
    /// The time for everything: the access token, all tries and the pauses between them.
    package var deadline: Duration {
        switch self {
        case .request: .seconds(10)
        case .refresh: .seconds(60)
        }
    }

    /// The time for one try: a request that is never answered leaves time for another.
    package var tryLimit: Duration {
        switch self {
        case .request: .seconds(3)
        case .refresh: .seconds(15)
        }
    }
}
