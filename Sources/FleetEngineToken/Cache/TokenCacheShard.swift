import Locking

/// One part of the cache: tokens and their lock.
final class TokenCacheShard: Sendable {
    private let entries: Guarded<TokenCacheEntries>

    init(maxBytes: Int) {
        entries = Guarded(TokenCacheEntries(maxBytes: maxBytes))
    }

    /// The token cached under the key, fresh or not.
    func token(for key: TokenKey) -> CachedToken? {
        entries.withLock { $0.token(for: key) }
    }

    /// Caches a new token under its key.
    func insert(_ token: CachedToken, for key: TokenKey, at now: Int64) {
        entries.withLock { $0.insert(token, for: key, at: now) }
    }

    /// Counts a failed signature, and whether an older token was used instead.
    func countFailure(fallback: Bool) {
        entries.withLock { $0.countFailure(fallback: fallback) }
    }

    var statistics: TokenCacheStatistics {
        entries.withLock { $0.statistics }
    }
}
