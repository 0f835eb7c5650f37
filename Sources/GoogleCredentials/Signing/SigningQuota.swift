import FleetEngineToken

/// Keeps a project's quota of signatures by a token bucket without a clock. Times are those of `SigningClock.monotonic`.
///
/// The bucket's size and 60 s of its rate add up to our share of the quota, so no minute has more signatures than that,
/// also the first one after a pause.
package struct SigningQuota: Sendable {
    /// The bucket's size, in seconds of its rate.
    package static let burstSeconds = 10.0
    /// Refreshes leave this part of the bucket to requests.
    package static let reservedPart = 0.2
    /// The longest time that is promised.
    private static let longestWait = Duration.seconds(60)

    /// Signatures a second in the long run.
    package private(set) var perSecond: Double
    /// The bucket's size in signatures.
    package private(set) var burst: Double

    private var level: Double
    /// When the level was computed; later than now while Google has told us to wait.
    private var filledAt: Duration
    /// When the last refused request may come again.
    private var promisedUntil: Duration

    /// A full bucket for a share, more than 0 and at most 1, of the project's signatures a minute, at least 1.
    package init(signaturesPerMinute: Int, share: Double, at now: Duration) {
        precondition(signaturesPerMinute >= 1 && share > 0 && share <= 1)
        perSecond = Double(signaturesPerMinute) * share / (60 + Self.burstSeconds)
        burst = max(1, perSecond * Self.burstSeconds)
        level = burst
        (filledAt, promisedUntil) = (now, now)
    }

    /// Takes a signature out of the bucket; returns nil, or the time after which to ask again.
    ///
    /// Refused requests are promised one signature after another at the bucket's rate, so that they do not all come back
    /// at once.
    package mutating func take(_ urgency: SigningUrgency, at now: Duration) -> Duration? {
        fill(at: now)
        let needed = 1 + (urgency == .refresh ? min(burst * Self.reservedPart, burst - 1) : 0)
        guard level < needed else {
            level -= 1
            return nil
        }
        let earliest = max(now, filledAt) + .seconds((needed - level) / perSecond)
        guard urgency == .request else { return earliest - now }
        promisedUntil = min(max(earliest, promisedUntil + .seconds(1 / perSecond)), now + Self.longestWait)
        return max(promisedUntil, earliest) - now
    }

    /// Google says that the quota is used up: the bucket is empty, and stays so for this time.
    package mutating func exhaust(for pause: Duration, at now: Duration) {
        fill(at: now)
        level = 0
        filledAt = max(filledAt, now + min(max(.zero, pause), .seconds(RetryAfter.longest)))
    }

    /// Goes on with the numbers of another quota. What was used stays used, and a pause that Google asked for goes on.
    package mutating func change(to other: SigningQuota, at now: Duration) {
        fill(at: now)
        (perSecond, burst) = (other.perSecond, other.burst)
        level = min(level, burst)
    }

    /// The signatures that requests may ask for now.
    package func available(at now: Duration) -> Int {
        var filled = self
        filled.fill(at: now)
        return Int(filled.level)
    }

    private mutating func fill(at now: Duration) {
        guard now > filledAt else { return }
        level = min(burst, level + (now - filledAt) / .seconds(1) * perSecond)
        filledAt = now
    }
}
