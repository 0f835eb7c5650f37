import Concurrency

/// Limits callers, each by its own token bucket, in limited memory; shared by all event loops.
///
/// To add a bucket when all places are taken, a full bucket is dropped, and if there is none, the fullest of a few.
package final class RateLimiter: Sendable {
    /// Whether a request is within the limit.
    package enum Verdict: Hashable, Sendable {
        /// It is within the limit.
        case allowed
        /// It is not: 429 (RFC 6585 section 4), and the seconds of `Retry-After` (RFC 9110 section 10.2.3), at least 1.
        case exceeded(retryAfter: Int64)
    }

    private static let maxShards = 16
    /// 292 years: a clock beyond it stands still, so that no sum of times overflows.
    private static let latestTime = UInt64.max / 2

    /// The limit of each caller.
    package let limit: RateLimit
    private let shards: [RateLimitShard]

    /// A limiter with at most `maxBuckets` callers, of 16 bytes each; fewer than 8 means 8. It begins with 2 kB and doubles
    /// when needed.
    package init(_ limit: RateLimit, maxBuckets: Int = 1 << 20) {
        self.limit = limit
        let sets = max(1, maxBuckets / RateLimitBuckets.setSize)
        let count = min(Self.maxShards, sets)
        shards = (0..<count).map { _ in RateLimitShard(maxSets: sets / count) }
    }

    /// Counts a request, or a failure, of this caller if it is within the limit at `now`, in nanoseconds of the
    /// monotonic clock; what is beyond the limit is not counted.
    @discardableResult
    package func take(_ key: RateLimitKey, at now: UInt64) -> Verdict {
        let now = min(now, Self.latestTime)
        return shard(of: key).buckets.withLock { $0.take(key.digest, limit, at: now) }
    }

    /// What `take` would say at `now`, in nanoseconds of the monotonic clock; counts nothing.
    package func check(_ key: RateLimitKey, at now: UInt64) -> Verdict {
        let now = min(now, Self.latestTime)
        return shard(of: key).buckets.withLock { $0.check(key.digest, limit, at: now) }
    }

    /// Whether this caller has all of the burst left at `now`, in nanoseconds of the monotonic clock.
    package func isFull(_ key: RateLimitKey, at now: UInt64) -> Bool {
        let now = min(now, Self.latestTime)
        return shard(of: key).buckets.withLock { $0.isFull(key.digest, at: now) }
    }

    /// Takes back what was counted.
    package func giveBack(_ key: RateLimitKey) {
        shard(of: key).buckets.withLock { $0.giveBack(key.digest, limit) }
    }

    /// Statistics of all shards together, each shard's taken at once.
    package var statistics: RateLimiterStatistics {
        shards.reduce(into: RateLimiterStatistics()) { sum, shard in
            shard.buckets.withLock { sum.add($0) }
        }
    }

    private func shard(of key: RateLimitKey) -> RateLimitShard {
        shards[Int(key.digest % UInt64(shards.count))]
    }
}

/// What a limiter holds and what it lost.
package struct RateLimiterStatistics: Hashable, Sendable {
    /// Places for buckets at present.
    package private(set) var places = 0
    /// Buckets that were dropped before they were full, since the start.
    package private(set) var forgotten = 0

    /// Bytes of all places.
    package var bytes: Int { places * MemoryLayout<RateLimitBuckets.Bucket>.stride }

    mutating func add(_ buckets: RateLimitBuckets) {
        places += buckets.places
        forgotten += buckets.forgotten
    }
}

/// One part of the limiter: its lock and what it guards.
private final class RateLimitShard: Sendable {
    let buckets: Guarded<RateLimitBuckets>

    init(maxSets: Int) {
        buckets = Guarded(RateLimitBuckets(maxSets: maxSets))
    }
}
