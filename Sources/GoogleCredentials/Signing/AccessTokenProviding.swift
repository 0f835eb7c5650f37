import FleetEngineToken

/// Access tokens (RFC 6750) for calls to Google, which the implementation obtains and renews.
package protocol AccessTokenProviding: Sendable {
    /// The current token and when it expires, in seconds since the epoch. The completion is called exactly once: before
    /// this returns if a token is cached, otherwise on any thread.
    func token(
        _ completion: @escaping @Sendable (Result<(token: Secret, expiresAt: Int64), RemoteSigningError>) -> Void)
    /// Google refused the current token (401), so the next call must get a new one.
    func reject()
}
