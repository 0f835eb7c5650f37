/// When a token that was minted earlier may be handed out again; times are seconds since the epoch.
struct TokenFreshness: Sendable {
    /// Seconds for which a token must still be valid if it is handed out only because signing failed.
    static let fallbackMargin: Int64 = 60

    /// The fraction of its lifetime that a token must have left, 0 to 1.
    let reuseFraction: Double

    /// Whether a client would get enough of the token's lifetime.
    func isFresh(_ token: MintedToken, at now: Int64) -> Bool {
        guard Self.isValid(token, at: now) else { return false }
        return Double(token.expiresAt - now) >= reuseFraction * Double(token.expiresAt - token.issuedAt)
    }

    /// The same for tokens that must not expire after `end`: none is better than one that expires then.
    func isFresh(_ token: MintedToken, at now: Int64, endingBy end: Int64) -> Bool {
        if token.expiresAt == end { return Self.isValid(token, at: now) }
        return token.expiresAt < end && isFresh(token, at: now)
    }

    /// Whether the token may be handed out because signing failed: one with a minute left is better than none.
    func isFallback(_ token: MintedToken, at now: Int64) -> Bool {
        Self.isValid(token, at: now) && token.expiresAt - now > Self.fallbackMargin
    }

    /// False if the clock was set back to before `iat`: `exp` would be further ahead than Fleet Engine accepts.
    private static func isValid(_ token: MintedToken, at now: Int64) -> Bool {
        token.issuedAt <= now && now < token.expiresAt
    }
}
