import StrictJSON

/// What a limiter holds and what it lost.
package struct RateLimiterStatistics: Hashable, Sendable {
    /// Buckets there is room for at present.
    package private(set) var places = 0
    /// Buckets that were forgotten before they were full, since the start.
    package private(set) var forgotten = 0

    /// Bytes of all places.
    package var bytes: Int { places * MemoryLayout<RateLimitBuckets.Bucket>.stride }

    mutating func add(_ buckets: RateLimitBuckets) {
        places += buckets.places
        forgotten += buckets.forgotten
    }
}
