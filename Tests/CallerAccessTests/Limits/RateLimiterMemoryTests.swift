import Dispatch
import Testing

@testable import CallerAccess
@testable import StrictJSON

@Suite struct RateLimiterMemoryTests {
    @Test func `an unused limiter takes two kilobytes`() {
        let limiter = RateLimiter(RateLimit(requestsPerSecond: 1, burst: 1))
        #expect(limiter.statistics.places == 128)
        #expect(limiter.statistics.bytes == 2048)
    }

    @Test func `more callers at once than fit take no more memory than configured`() {
        let limiter = RateLimiter(RateLimit(requestsPerSecond: 0.001, burst: 1))
        DispatchQueue.concurrentPerform(iterations: 8) { part in
            var numbers = SeededNumbers(seed: UInt64(part))
            for _ in 0..<150_000 { limiter.take(RateLimitKey(numbers.next()), at: second) }
        }
        #expect(limiter.statistics.places == 1 << 20)
        #expect(limiter.statistics.bytes == 16 << 20)
        #expect(limiter.statistics.forgotten >= 1_200_000 - (1 << 20))
    }

    @Test(arguments: [-1, 0, 1, 7, 8, 9, 100, 127, 128, 129, 1000, 5000, 10_000])
    func `a limiter never exceeds its configured buckets, with at least eight`(maxBuckets: Int) {
        let limiter = RateLimiter(RateLimit(requestsPerSecond: 0.001, burst: 1), maxBuckets: maxBuckets)
        for number in 0..<20_000 {
            limiter.take(RateLimitKey(UInt64(number)), at: second)
            if number % 100 == 0 { #expect(limiter.statistics.places <= max(8, maxBuckets)) }
        }
        #expect(limiter.statistics.places > max(8, maxBuckets) - 128)
    }

    @Test func `callers who come one after another need no extra memory`() {
        let limiter = RateLimiter(RateLimit(requestsPerSecond: 1000, burst: 1))
        for number in 0..<100_000 as Range<UInt64> { limiter.take(RateLimitKey(number), at: number * 1_000_000) }
        #expect(limiter.statistics.places == 128)
        #expect(limiter.statistics.forgotten == 0)
    }

    @Test func `no bucket is evicted while the limiter can grow`() {
        let limiter = RateLimiter(RateLimit(requestsPerSecond: 0.001, burst: 2))
        let keys = (0..<20_000).map { RateLimitKey($0) }
        for key in keys { limiter.take(key, at: second) }
        for key in keys { #expect(limiter.takeAll(key, at: 2 * second) == 1) }
        #expect(limiter.statistics.forgotten == 0)
    }
}
