import Locking

/// Tokens that may be handed out again, found by all that was signed, bounded in bytes, shared by all loops.
///
/// A hit takes one lock of one shard for one lookup and changes nothing, so it neither waits behind a signature nor
/// behind another shard. Signatures are made under locks of their own: two requests for the same new token cost one.
package final class TokenCache: Sendable {
    private let shards: [TokenCacheShard]
    private let mintLocks: [MintLock]
    private let freshness: TokenFreshness
    /// What was counted before.
    private let former: TokenCacheStatistics

    /// A cache of at most `maxBytes`, in `shards` parts of equal size, that hands a token out again while at least
    /// `reuseFraction` of its lifetime is left; a fraction outside 0...1 means the nearer end, fewer than one shard one. Its
    /// counts go on from those of the cache whose place it takes.
    package init(maxBytes: Int, reuseFraction: Double, shards: Int = 16, after former: TokenCacheStatistics? = nil) {
        let count = max(1, shards)
        self.shards = (0..<count).map { _ in TokenCacheShard(maxBytes: max(0, maxBytes) / count) }
        mintLocks = (0..<MintLock.count).map { _ in MintLock() }
        freshness = TokenFreshness(reuseFraction: max(0, min(1, reuseFraction)))
        self.former = former?.counts ?? TokenCacheStatistics()
    }

    /// The token kept under the key if it is still fresh at `now`, in seconds since the epoch.
    package func fresh(_ key: TokenKey, at now: Int64) -> CachedToken? {
        guard let kept = kept(key), freshness.isFresh(kept.token, at: now) else { return nil }
        return kept
    }

    /// As `fresh`, of tokens that do not end after `end`, in seconds since the epoch: one that ends just then is as good as
    /// any that could be minted, however little of it is left.
    package func fresh(_ key: TokenKey, at now: Int64, endingBy end: Int64) -> CachedToken? {
        guard let kept = kept(key), freshness.isFresh(kept.token, at: now, endingBy: end) else { return nil }
        return kept
    }

    /// The token kept under the key, fresh or not.
    @inline(__always)
    private func kept(_ key: TokenKey) -> CachedToken? {
        // The shards live as long as the cache, and to count each look would have all loops write to the same place.
        Unmanaged.passUnretained(shard(of: key))._withUnsafeGuaranteedRef { $0.token(for: key) }
    }

    /// The fresh token kept under the key that does not end after `end`, or what `mint` makes, which is then kept. Of
    /// callers that ask for the same new token at once, one mints and the others wait for it. Where `mint` throws, a kept
    /// token that is still valid for more than a minute is handed out instead; else its error is thrown. `mint` must not
    /// ask this cache.
    package func token(
        for key: TokenKey, at now: Int64, endingBy end: Int64 = .max, mint: () throws(SigningError) -> CachedToken
    ) throws(SigningError) -> CachedToken {
        if let kept = fresh(key, at: now, endingBy: end) { return kept }
        return try mintLock(of: key).lock.withLock { _ throws(SigningError) in
            // Whoever held the lock before may have minted this very token.
            if let kept = fresh(key, at: now, endingBy: end) { return kept }
            return try replace(key, at: now, endingBy: end, mint: mint)
        }
    }

    /// Figures of all shards together, each shard's taken at once.
    package var statistics: TokenCacheStatistics {
        shards.reduce(into: former) { sum, shard in sum.add(shard.statistics) }
    }

    private func replace(
        _ key: TokenKey, at now: Int64, endingBy end: Int64, mint: () throws(SigningError) -> CachedToken
    ) throws(SigningError) -> CachedToken {
        let shard = shard(of: key)
        do {
            let minted = try mint()
            shard.insert(minted, for: key, at: now)
            return minted
        } catch {
            guard let kept = shard.token(for: key), kept.token.expiresAt <= end,
                freshness.isFallback(kept.token, at: now)
            else {
                shard.countFailure(fallback: false)
                throw error
            }
            shard.countFailure(fallback: true)
            return kept
        }
    }

    private func shard(of key: TokenKey) -> TokenCacheShard {
        shards[Int(UInt(bitPattern: key.digest) % UInt(shards.count))]
    }

    private func mintLock(of key: TokenKey) -> MintLock {
        mintLocks[Int(UInt(bitPattern: key.digest) / UInt(shards.count) % UInt(mintLocks.count))]
    }
}

/// Held while a token is minted. There are many more than loops, so that two loops seldom wait for one another unless
/// they want the same token.
private final class MintLock: Sendable {
    static let count = 256

    let lock = Guarded(())
}
