import Testing

@testable import CallerAccess

/// Which bucket is evicted when a set is full.
@Suite struct RateLimitBucketsTests {
    @Test func `a full set evicts the bucket with the most tokens`() {
        let limit = RateLimit(requestsPerSecond: 1, burst: 10)
        var buckets = RateLimitBuckets(maxSets: 1)
        let debts: [UInt64: Int] = [1: 5, 2: 9, 3: 3, 4: 10, 5: 2, 6: 7, 7: 4, 8: 6]
        for (digest, debt) in debts {
            for _ in 0..<debt { #expect(buckets.take(digest, limit, at: second) == .allowed) }
        }
        #expect(buckets.take(9, limit, at: second) == .allowed)
        #expect(buckets.forgotten == 1)
        for (digest, debt) in debts {
            let left = digest == 5 ? 10 : 10 - debt
            #expect(tokens(of: digest, in: buckets, limit) == left)
        }
        #expect(tokens(of: 9, in: buckets, limit) == 9)
    }

    @Test func `a refilled bucket is evicted before a partly filled one`() {
        let limit = RateLimit(requestsPerSecond: 1, burst: 10)
        var buckets = RateLimitBuckets(maxSets: 1)
        for digest in 1...7 as ClosedRange<UInt64> {
            #expect(buckets.takeAll(digest, limit, at: second) == 10)
        }
        // New callers come one second apart, so the eighth place is enough for all of them.
        for newcomer in 100..<108 as Range<UInt64> {
            #expect(buckets.take(newcomer, limit, at: (newcomer - 98) * second) == .allowed)
        }
        #expect(buckets.forgotten == 0)
        for digest in 1...7 as ClosedRange<UInt64> { #expect(tokens(of: digest, in: buckets, limit) == 8) }
    }

    @Test func `returned tokens refill the bucket, but never beyond full`() {
        let limit = RateLimit(requestsPerSecond: 1, burst: 2)
        var buckets = RateLimitBuckets(maxSets: 1)
        #expect(buckets.isFull(1, at: second))
        buckets.giveBack(1, limit)
        #expect(buckets.takeAll(1, limit, at: second) == 2)
        #expect(!buckets.isFull(1, at: second))
        buckets.giveBack(1, limit)
        #expect(tokens(of: 1, in: buckets, limit) == 1)
        buckets.giveBack(1, limit)
        #expect(buckets.isFull(1, at: second))
        buckets.giveBack(1, limit)
        #expect(buckets.takeAll(1, limit, at: second) == 2)
    }

    @Test(arguments: [1, 3, 16, 100])
    func `callers over their limit stay limited during a flood of others`(maxSets: Int) {
        let limit = RateLimit(requestsPerSecond: 100, burst: 50)
        var buckets = RateLimitBuckets(maxSets: maxSets)
        var numbers = SeededNumbers(seed: 7)
        let spread = UInt64.max / UInt64(maxSets)
        // Four in each set, so that there is always another place that has refilled.
        let offenders = (0..<4 * maxSets).map { UInt64($0) % UInt64(maxSets) * spread + UInt64($0) + 1 }
        var allowed = 0
        for step in 0..<2000 as Range<UInt64> {
            let now = second + step * limit.interval
            for digest in offenders { allowed += buckets.takeAll(digest, limit, at: now) }
            for _ in 0..<maxSets { _ = buckets.take(numbers.next(), limit, at: now) }
        }
        #expect(allowed == offenders.count * (50 + 1999))
    }

    /// What is left at the latest time the buckets have seen.
    private func tokens(of digest: UInt64, in buckets: RateLimitBuckets, _ limit: RateLimit) -> Int {
        var buckets = buckets
        return buckets.takeAll(digest, limit, at: 0)
    }
}
