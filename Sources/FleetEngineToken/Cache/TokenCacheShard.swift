import Locking

/// One part of the cache: its lock and what it guards.
final class TokenCacheShard: Sendable {
    private let entries: Guarded<TokenCacheEntries>

    init(maxBytes: Int) {
        entries = Guarded(TokenCacheEntries(maxBytes: maxBytes))
    }

    /// The token kept under the key, fresh or not.
    func token(for key: TokenKey) -> CachedToken? {
        entries.withLock { $0.token(for: key) }
    }

    /// Keeps a token that was just minted under its key.
    func insert(_ token: CachedToken, for key: TokenKey, at now: Int64) {
        entries.withLock { $0.insert(token, for: key, at: now) }
    }

    /// Counts a signature that could not be had, and whether an older token could stand in.
    func countFailure(fallback: Bool) {
        entries.withLock { $0.countFailure(fallback: fallback) }
    }

    var statistics: TokenCacheStatistics {
        entries.withLock { $0.statistics }
    }
}
