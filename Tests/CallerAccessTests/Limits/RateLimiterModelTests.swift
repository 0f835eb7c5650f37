import CallerAccess
import Testing

/// A few callers with random pauses, compared with a model that counts tokens.
@Suite struct RateLimiterModelTests {
    private static let intervals: [UInt64] = [1000, 1_000_000, second / 10, 2 * second, 1000 * second]

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `a limiter agrees with a model that counts tokens`(seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        let interval = try #require(Self.intervals.randomElement(using: &numbers))
        let burst = Int.random(in: 1...10, using: &numbers)
        let rate = Double(second) / Double(interval)
        let limiter = RateLimiter(RateLimit(requestsPerSecond: rate, burst: burst))
        var models = Array(repeating: CountedTokens(interval: interval, burst: UInt64(burst)), count: 4)
        var now = UInt64.random(in: 0...1 << 60, using: &numbers)
        for _ in 0..<1000 {
            let caller = Int.random(in: 0..<models.count, using: &numbers)
            let key = RateLimitKey(UInt64(caller))
            let expected = models[caller].verdict(at: now)
            #expect(limiter.check(key, at: now) == expected)
            if Bool.random(using: &numbers) {
                #expect(limiter.take(key, at: now) == expected)
                if expected == .allowed { models[caller].take() }
            }
            now += Self.pause(interval: interval, using: &numbers)
        }
    }

    /// None, less than an interval, exactly one, some, or hours.
    private static func pause(interval: UInt64, using numbers: inout SeededNumbers) -> UInt64 {
        switch Int.random(in: 0..<20, using: &numbers) {
        case 0..<12: 0
        case 12..<16: UInt64.random(in: 1...interval, using: &numbers)
        case 16: interval
        case 17: interval - 1
        case 18: UInt64.random(in: 1...20 * interval, using: &numbers)
        default: 10 * 3600 * second
        }
    }
}

/// The textbook token bucket: tokens drip in until it is full, each worth an interval in nanoseconds.
private struct CountedTokens {
    let interval: UInt64
    let burst: UInt64
    private var worth: UInt64
    private var countedAt: UInt64 = 0

    init(interval: UInt64, burst: UInt64) {
        (self.interval, self.burst) = (interval, burst)
        worth = interval * burst
    }

    mutating func verdict(at now: UInt64) -> RateLimiter.Verdict {
        worth = min(interval * burst, worth + (now - countedAt))
        countedAt = now
        guard worth < interval else { return .allowed }
        let missing = interval - worth
        return .exceeded(retryAfter: Int64(missing / second) + (missing % second > 0 ? 1 : 0))
    }

    mutating func take() {
        worth -= interval
    }
}
