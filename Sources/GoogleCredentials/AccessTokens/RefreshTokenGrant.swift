extension TokenRequest where Value == AccessToken {
    /// The refresh-token grant (RFC 6749 section 6, AIP-4113), without `scope`: a person's refresh token has its scopes
    /// from the login, and others would be refused.
    static func refreshToken(of user: AuthorizedUser, at now: Int64) throws(AccessTokenError) -> TokenRequest {
        try TokenRequest(
            posting: [
                ("grant_type", "refresh_token"), ("client_id", user.clientID),
                ("client_secret", user.clientSecret.value), ("refresh_token", user.refreshToken.value),
            ],
            to: user.tokenURL, hiding: [user.clientSecret, user.refreshToken]
        ) { answer throws(AccessTokenError) in try answer.accessToken(at: now) }
    }
}
