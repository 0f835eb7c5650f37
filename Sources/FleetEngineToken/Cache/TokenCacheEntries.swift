/// The tokens of one shard, in the order in which they were cached.
struct TokenCacheEntries: Sendable {
    private let maxBytes: Int
    let texts = TokenTexts()
    private var tokens = ExpiringEntries<TokenKey.Digest, CachedToken>()
    private var counts = TokenCacheStatistics()

    init(maxBytes: Int) {
        self.maxBytes = maxBytes
    }

    /// Bytes of the cached tokens, and of texts that answers still refer to. If texts become shorter, the memory for longer
    /// ones stays: then all takes up to a tenth more.
    private var memory: Int { tokens.bytes + texts.used }

    var statistics: TokenCacheStatistics {
        var statistics = counts
        (statistics.entries, statistics.bytes) = (tokens.count, memory)
        return statistics
    }

    func token(for key: TokenKey) -> CachedToken? {
        guard let token = tokens.entry(key.digest), token.isFound(by: key) else { return nil }
        return token
    }

    /// Caches the token with its text for the key, in place of an older one. To stay within the limit it first removes
    /// expired tokens, then the oldest ones. A token that still does not fit gets memory of its own and is not
    /// cached.
    mutating func insert(_ token: RenderedToken, _ text: [UInt8], for key: TokenKey, at now: Int64) -> CachedToken {
        counts.mints += 1
        while tokens.removeOldest(if: { $0.times.expiresAt <= now }) { counts.expirations += 1 }
        let bytes = CachedToken.memory(token.annotation) + TokenText.memory(of: text.count)
        if bytes <= maxBytes {
            tokens.remove(key.digest)
            while memory + bytes > maxBytes, tokens.removeOldest() { counts.evictions += 1 }
        }
        guard memory + bytes <= maxBytes else {
            return CachedToken(token, text, for: key, in: TokenTexts(growingBy: 1))
        }
        let cached = CachedToken(token, text, for: key, in: texts)
        tokens.insert(cached, key.digest)
        return cached
    }

    mutating func countFailure(fallback: Bool) {
        counts.failures += 1
        counts.fallbacks += fallback ? 1 : 0
    }
}
