/// Figures of the cache since it was made. Hits are not among them: a hit changes nothing, its caller counts it.
package struct TokenCacheStatistics: Hashable, Sendable {
    /// Tokens kept now.
    package internal(set) var entries = 0
    /// Bytes they are reckoned at now, with what keeping them costs.
    package internal(set) var bytes = 0
    /// Tokens minted.
    package internal(set) var mints = 0
    /// Tokens that left before they expired, to make room.
    package internal(set) var evictions = 0
    /// Tokens that left after they expired.
    package internal(set) var expirations = 0
    /// Times a token could not be minted.
    package internal(set) var failures = 0
    /// How many of the failures an older, still valid token answered.
    package internal(set) var fallbacks = 0

    /// What was counted, without what is kept now.
    var counts: TokenCacheStatistics {
        var counts = self
        (counts.entries, counts.bytes) = (0, 0)
        return counts
    }

    mutating func add(_ other: TokenCacheStatistics) {
        entries += other.entries
        bytes += other.bytes
        mints += other.mints
        evictions += other.evictions
        expirations += other.expirations
        failures += other.failures
        fallbacks += other.fallbacks
    }
}
