/// The cache's size now, and its counts since the process started. Hits are not included: a hit changes nothing here, and
/// the caller counts it.
package struct TokenCacheStatistics: Hashable, Sendable {
    /// The number of cached tokens.
    package internal(set) var entries = 0
    /// The estimated bytes of the cached tokens, including overhead.
    package internal(set) var bytes = 0
    /// Tokens minted.
    package internal(set) var mints = 0
    /// Tokens that were removed before they expired, because of the limit.
    package internal(set) var evictions = 0
    /// Tokens that were removed after they expired.
    package internal(set) var expirations = 0
    /// Tokens that could not be minted.
    package internal(set) var failures = 0
    /// The failures for which an older token that was still valid was used.
    package internal(set) var fallbacks = 0

    /// The counts without the current size.
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
