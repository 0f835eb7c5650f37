import CallerAccess
import Testing

@Suite struct RateLimiterTests {
    private let start = 1000 * second
    private let key = RateLimitKey(1)

    @Test func `a burst is allowed, then one request for each interval`() {
        let limiter = limiter(10, burst: 3)
        #expect(limiter.takeAll(key, at: start) == 3)
        #expect(limiter.takeAll(key, at: start + second / 10 - 1) == 0)
        #expect(limiter.takeAll(key, at: start + second / 10) == 1)
        #expect(limiter.takeAll(key, at: start + 3 * second / 10) == 2)
    }

    @Test(arguments: [0.001, 0.3, 0.5, 3, 7, 999, 700_000, 1_000_000])
    func `in the long run the rate is kept`(rate: Double) {
        let limiter = limiter(rate, burst: 5)
        var allowed = limiter.takeAll(key, at: start)
        for step in 1...2000 { allowed += limiter.takeAll(key, at: start + UInt64(Double(step) * 1e9 / rate)) }
        #expect((2003...2005).contains(allowed))
    }

    @Test(arguments: [(10.0, 1), (1, 1), (0.9, 2), (0.5, 2), (0.1, 10), (0.001, 1000)])
    func `a request is allowed after Retry-After, and not a second earlier`(
        rate: Double, seconds: Int64
    ) throws {
        let limiter = limiter(rate, burst: 4)
        #expect(limiter.takeAll(key, at: start) == 4)
        #expect(limiter.take(key, at: start) == .exceeded(retryAfter: seconds))
        let wait = UInt64(seconds) * second
        if seconds > 1 { #expect(limiter.check(key, at: start + wait - second) == .exceeded(retryAfter: 1)) }
        #expect(limiter.check(key, at: start + wait) == .allowed)
    }

    @Test func `Retry-After is rounded up`() throws {
        let limiter = limiter(0.25, burst: 1)
        limiter.take(key, at: start)
        #expect(limiter.check(key, at: start + 1) == .exceeded(retryAfter: 4))
        #expect(limiter.check(key, at: start + second) == .exceeded(retryAfter: 3))
        #expect(limiter.check(key, at: start + 4 * second - 1) == .exceeded(retryAfter: 1))
        #expect(limiter.check(key, at: start + 4 * second) == .allowed)
    }

    @Test func `hours of idleness give no more than the burst`() {
        let limiter = limiter(1_000_000, burst: 20)
        #expect(limiter.takeAll(key, at: start) == 20)
        #expect(limiter.takeAll(key, at: start + 100 * 3600 * second) == 20)
    }

    @Test func `refused requests do not delay later ones`() {
        let limiter = limiter(1, burst: 2)
        #expect(limiter.takeAll(key, at: start) == 2)
        for _ in 0..<1000 { limiter.take(key, at: start) }
        #expect(limiter.takeAll(key, at: start + second) == 1)
    }

    @Test func `a check takes no token and predicts the next take`() throws {
        let limiter = limiter(1, burst: 2)
        for _ in 0..<10 { #expect(limiter.check(key, at: start) == .allowed) }
        #expect(limiter.takeAll(key, at: start) == 2)
        for _ in 0..<10 { #expect(limiter.check(key, at: start) == .exceeded(retryAfter: 1)) }
        #expect(limiter.takeAll(key, at: start + second) == 1)
    }

    @Test func `one caller's requests do not use up another's limit`() {
        let limiter = limiter(1, burst: 3)
        for number in 0..<100 as Range<UInt64> { #expect(limiter.takeAll(RateLimitKey(number), at: start) == 3) }
    }

    @Test(arguments: [0, 1, 1000, 1_000_000] as [UInt64])
    func `a clock near zero allows the burst`(now: UInt64) {
        let limiter = limiter(0.001, burst: 5)
        #expect(limiter.takeAll(key, at: now) == 5)
    }

    @Test(arguments: [1, second, 999 * second, 1000 * second] as [UInt64])
    func `a clock that steps back neither refills nor takes tokens`(step: UInt64) throws {
        let limiter = limiter(1, burst: 4)
        limiter.take(key, at: start)
        limiter.take(key, at: start)
        #expect(limiter.takeAll(key, at: start - step) == 2)
        #expect(limiter.check(key, at: start - step) == .exceeded(retryAfter: 1))
        #expect(limiter.takeAll(key, at: start) == 0)
        #expect(limiter.takeAll(key, at: start + second) == 1)
    }

    @Test func `a clock at its maximum neither traps nor refills`() throws {
        let longest = limiter(RateLimit.rates.lowerBound, burst: RateLimit.bursts.upperBound)
        #expect(longest.takeAll(key, at: .max) == RateLimit.bursts.upperBound)
        #expect(longest.check(key, at: .max) == .exceeded(retryAfter: 1000))
        let shortest = limiter(RateLimit.rates.upperBound, burst: 1)
        #expect(shortest.takeAll(key, at: .max / 2) == 1)
        #expect(shortest.check(key, at: .max) == .exceeded(retryAfter: 1))
    }

    private func limiter(_ rate: Double, burst: Int) -> RateLimiter {
        RateLimiter(RateLimit(requestsPerSecond: rate, burst: burst))
    }
}
