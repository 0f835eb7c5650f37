import CallerAccess
import Dispatch
import Synchronization
import Testing

@Suite struct RateLimiterConcurrencyTests {
    private let key = RateLimitKey(1)

    @Test func `many threads at one moment get exactly the burst`() {
        let limiter = RateLimiter(RateLimit(requestsPerSecond: 1_000_000, burst: 1000))
        let allowed = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 16) { _ in
            for _ in 0..<1000 where limiter.take(key, at: second) == .allowed { allowed.add(1, ordering: .relaxed) }
        }
        #expect(allowed.load(ordering: .relaxed) == 1000)
    }

    @Test func `threads whose clocks disagree get no more than burst and rate allow`() {
        let limiter = RateLimiter(RateLimit(requestsPerSecond: 1000, burst: 50))
        let allowed = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            var numbers = SeededNumbers(seed: UInt64(thread))
            for step in 0..<10_000 as Range<UInt64> {
                // One second in all; each clock reading is wrong by up to 10 ms.
                let now = second + step * 100_000 + UInt64.random(in: 0...10_000_000, using: &numbers)
                if limiter.take(key, at: now) == .allowed { allowed.add(1, ordering: .relaxed) }
            }
        }
        #expect((1000...1060).contains(allowed.load(ordering: .relaxed)))
    }

    @Test func `no count is lost while threads make the limiter grow`() {
        let limiter = RateLimiter(RateLimit(requestsPerSecond: 0.001, burst: 8))
        let keys = (0..<2000).map { RateLimitKey($0) }
        let allowed = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for round in 0..<2 {
                for index in keys.indices {
                    let key = keys[(index * 7 + thread * 250 + round) % keys.count]
                    if limiter.take(key, at: second) == .allowed { allowed.add(1, ordering: .relaxed) }
                }
            }
        }
        #expect(allowed.load(ordering: .relaxed) == 8 * keys.count)
        #expect(limiter.statistics.forgotten == 0)
    }
}
