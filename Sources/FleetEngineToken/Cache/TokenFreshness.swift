/// When a token that was minted earlier may be handed out again; times are seconds since the epoch.
struct TokenFreshness: Sendable {
    /// What must be left of a token that is handed out only because signing failed.
    static let fallbackMargin: Int64 = 60

    /// The part of its lifetime a token must have left, 0 to 1.
    let reuseFraction: Double

    /// A token's client should get a good part of its lifetime.
    func isFresh(_ token: MintedToken, at now: Int64) -> Bool {
        guard Self.isValid(token, at: now) else { return false }
        return Double(token.expiresAt - now) >= reuseFraction * Double(token.expiresAt - token.issuedAt)
    }

    /// Where tokens must not end after `end`, none is better than one that ends then.
    func isFresh(_ token: MintedToken, at now: Int64, endingBy end: Int64) -> Bool {
        if token.expiresAt == end { return Self.isValid(token, at: now) }
        return token.expiresAt < end && isFresh(token, at: now)
    }

    /// When signing fails, a token with a minute left is better than none.
    func isFallback(_ token: MintedToken, at now: Int64) -> Bool {
        Self.isValid(token, at: now) && token.expiresAt - now > Self.fallbackMargin
    }

    /// A clock set back to before `iat` would leave `exp` further ahead than Fleet Engine takes: no token then.
    private static func isValid(_ token: MintedToken, at now: Int64) -> Bool {
        token.issuedAt <= now && now < token.expiresAt
    }
}
