import Concurrency

/// Tokens that may be handed out again. A token is found by everything that was signed except the time. The cache is
/// limited in bytes and shared by all event loops.
///
/// A hit takes the lock of one shard for one lookup and changes nothing, so it waits neither for a signature nor for
/// another shard. Signatures have their own locks: two requests for the same new token need only one.
package final class TokenCache: Sendable {
    /// The most bytes that it takes.
    package let maxBytes: Int
    private let shards: [TokenCacheShard]
    private let mintLocks: [MintLock]
    private let freshness: TokenFreshness
    /// The counts of the previous cache.
    private let previous: TokenCacheStatistics

    /// A cache of at most `maxBytes`, in `shards` parts of equal size. It hands out a token again while at least
    /// `reuseFraction` of its lifetime is left. A fraction outside 0...1 is clamped, and there is at least one shard. The
    /// counts continue those of the previous cache.
    package init(maxBytes: Int, reuseFraction: Double, shards: Int = 16, after previous: TokenCacheStatistics? = nil) {
        self.maxBytes = max(0, maxBytes)
        let count = max(1, shards)
        self.shards = (0..<count).map { _ in TokenCacheShard(maxBytes: max(0, maxBytes) / count) }
        mintLocks = (0..<MintLock.count).map { _ in MintLock() }
        freshness = TokenFreshness(reuseFraction: max(0, min(1, reuseFraction)))
        self.previous = previous?.counts ?? TokenCacheStatistics()
    }

    /// The token cached under the key if it is still fresh at `now`, in seconds since the epoch.
    package func fresh(_ key: TokenKey, at now: Int64) -> CachedToken? {
        guard let cached = cached(key), freshness.isFresh(cached.times, at: now) else { return nil }
        return cached
    }

    /// The same, but only a token that expires at or before `end`, in seconds since the epoch. One that expires exactly
    /// then is fresh while it is valid, since a new token could not be valid longer.
    package func fresh(_ key: TokenKey, at now: Int64, endingBy end: Int64) -> CachedToken? {
        guard let cached = cached(key), freshness.isFresh(cached.times, at: now, endingBy: end) else { return nil }
        return cached
    }

    /// The token cached under the key, fresh or not, if it expires at or before `end` and more than `margin` seconds after
    /// `now`, in seconds since the epoch.
    package func usable(
        _ key: TokenKey, at now: Int64, leaving margin: Int64, endingBy end: Int64 = .max
    ) -> CachedToken? {
        guard let cached = cached(key), cached.times.expiresAt <= end,
            freshness.isUsable(cached.times, at: now, leaving: margin)
        else { return nil }
        return cached
    }

    /// Caches a token that was signed remotely, and counts it. A token that does not fit is returned but not cached.
    @discardableResult
    package func insert(_ token: RenderedToken, for key: TokenKey, at now: Int64) -> CachedToken {
        shard(of: key).insert(token, for: key, at: now)
    }

    /// Counts a remote signature that failed, and whether an older token is used instead.
    package func countFailure(of key: TokenKey, fallback: Bool) {
        shard(of: key).entries.withLock { $0.countFailure(fallback: fallback) }
    }

    /// The token cached under the key, fresh or not.
    @inline(__always)
    private func cached(_ key: TokenKey) -> CachedToken? {
        // The shards live as long as the cache. Reference counting would make all event loops write to the same memory.
        Unmanaged.passUnretained(shard(of: key))._withUnsafeGuaranteedRef { shard in
            shard.entries.withLock { $0.token(for: key) }
        }
    }

    /// The fresh token cached under the key that expires at or before `end`, or the result of `mint`, which is then cached.
    /// If several callers need the same new token at once, one mints it and the others wait. If `mint` throws, a cached
    /// token that is still valid for more than a minute and its `margin` is returned; otherwise the error is thrown. `mint`
    /// must not use this cache.
    package func token(
        for key: TokenKey, at now: Int64, endingBy end: Int64 = .max,
        leaving margin: (SignedTimes) -> Int64 = { _ in 0 },
        mint: () throws(SigningError) -> RenderedToken
    ) throws(SigningError) -> CachedToken {
        if let cached = fresh(key, at: now, endingBy: end) { return cached }
        return try mintLock(of: key).lock.withLock { _ throws(SigningError) in
            // The previous holder of the lock may have minted this token.
            if let cached = fresh(key, at: now, endingBy: end) { return cached }
            return try replace(key, at: now, endingBy: end, leaving: margin, mint: mint)
        }
    }

    /// The sum over all shards. Each shard is read at one moment, but not all at the same.
    package var statistics: TokenCacheStatistics {
        shards.reduce(into: previous) { sum, shard in sum.add(shard.entries.withLock { $0.statistics }) }
    }

    private func replace(
        _ key: TokenKey, at now: Int64, endingBy end: Int64, leaving margin: (SignedTimes) -> Int64,
        mint: () throws(SigningError) -> RenderedToken
    ) throws(SigningError) -> CachedToken {
        do { return insert(try mint(), for: key, at: now) } catch {
            let fallback = cached(key).flatMap { cached in
                cached.times.expiresAt <= end
                    && freshness.isFallback(cached.times, at: now, leaving: margin(cached.times)) ? cached : nil
            }
            countFailure(of: key, fallback: fallback != nil)
            guard let fallback else { throw error }
            return fallback
        }
    }

    private func shard(of key: TokenKey) -> TokenCacheShard {
        shards[Int(UInt(bitPattern: key.digest.value) % UInt(shards.count))]
    }

    private func mintLock(of key: TokenKey) -> MintLock {
        mintLocks[Int(UInt(bitPattern: key.digest.value) / UInt(shards.count) % UInt(mintLocks.count))]
    }
}

/// Held while a token is minted. There are many more locks than event loops, so that two loops rarely wait for each
/// other unless they need the same token.
private final class MintLock: Sendable {
    static let count = 256

    let lock = Guarded(())
}

/// One part of the cache: tokens and their lock.
private final class TokenCacheShard: Sendable {
    let entries: Guarded<TokenCacheEntries>

    init(maxBytes: Int) { entries = Guarded(TokenCacheEntries(maxBytes: maxBytes)) }

    /// Caches a new token if it fits, and returns it in any case.
    func insert(_ token: RenderedToken, for key: TokenKey, at now: Int64) -> CachedToken {
        let text = token.text(for: key)
        return entries.withLock { $0.insert(token, text, for: key, at: now) }
    }
}

/// When a token that was minted earlier may be handed out again; times are seconds since the epoch.
struct TokenFreshness: Sendable {
    /// Seconds for which a token must still be valid if it is handed out only because signing failed.
    static let fallbackMargin: Int64 = 60

    /// The fraction of its lifetime that a token must have left, 0 to 1.
    let reuseFraction: Double

    /// Whether a client would get enough of the token's lifetime.
    func isFresh(_ token: SignedTimes, at now: Int64) -> Bool {
        guard Self.isValid(token, at: now) else { return false }
        return Double(token.expiresAt - now) >= reuseFraction * Double(token.expiresAt - token.issuedAt)
    }

    /// The same for tokens that must not expire after `end`: none is better than one that expires then.
    func isFresh(_ token: SignedTimes, at now: Int64, endingBy end: Int64) -> Bool {
        if token.expiresAt == end { return Self.isValid(token, at: now) }
        return token.expiresAt < end && isFresh(token, at: now)
    }

    /// Whether the token may be handed out because signing failed: one with a minute left, and the margin by which its
    /// client is told an earlier expiry, is better than none.
    func isFallback(_ token: SignedTimes, at now: Int64, leaving margin: Int64) -> Bool {
        isUsable(token, at: now, leaving: max(Self.fallbackMargin, margin))
    }

    /// Whether the token is valid, with more than `margin` seconds left.
    func isUsable(_ token: SignedTimes, at now: Int64, leaving margin: Int64) -> Bool {
        Self.isValid(token, at: now) && token.expiresAt - now > margin
    }

    /// False if the clock was set back to before `iat`: `exp` would be further ahead than Fleet Engine accepts.
    private static func isValid(_ token: SignedTimes, at now: Int64) -> Bool {
        token.issuedAt <= now && now < token.expiresAt
    }
}
