/// What a limiter holds and what it lost.
public struct RateLimiterStatistics: Hashable, Sendable {
    /// Buckets there is room for at present.
    public private(set) var places = 0
    /// Buckets that were forgotten before they were full, since the start.
    public private(set) var forgotten = 0

    /// Bytes of all places.
    public var bytes: Int { places * MemoryLayout<RateLimitBuckets.Bucket>.stride }

    mutating func add(_ buckets: RateLimitBuckets) {
        places += buckets.places
        forgotten += buckets.forgotten
    }
}
