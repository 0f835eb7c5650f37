import Concurrency

/// Whether there is an access token, for readiness.
package struct AccessTokenState: Hashable, Sendable {
    /// When the token expires, in seconds since the epoch; nil if there is none that can be used.
    package let validUntil: Int64?
    /// Why the last fetch failed; nil if it succeeded, and before the first.
    package let lastError: AccessTokenError?
}

/// Keeps one access token, which is fetched once for all who wait and renewed before it expires.
package final class AccessTokenSource: Sendable {
    /// Seconds before its expiry from which a token is renewed while it is used.
    package static let usualMargin: Int64 = 300
    /// Seconds before its expiry from which a token is not used any more, since a request takes time.
    static let reserve: Int64 = 10
    /// A token that is refused for another reason than its age must not cause a fetch for each request.
    static let rejectionPause = Duration.seconds(30)

    private let kept: RefreshedValue<AccessToken, AccessTokenError>

    /// A source without a token; `refreshMargin` is how many seconds before its expiry a token is renewed.
    package init(
        _ clock: SigningClock, refreshMargin: Int64 = usualMargin,
        fetch: @escaping RefreshedValue<AccessToken, AccessTokenError>.Fetch
    ) {
        kept = RefreshedValue(
            FetchSchedule(longestPause: .seconds(30), demandPauses: Self.rejectionPause...Self.rejectionPause),
            clock: clock.monotonic, jitter: clock.random, on: clock.executor, fetch: fetch
        ) { token, _ in
            let rest = Duration.seconds(max(0, token.expiresAt - clock.epochSeconds()))
            return (Self.freshness(rest, margin: .seconds(refreshMargin)), true)
        }
    }

    /// A metadata server may return a token that it cached: one with a short rest is renewed after half of it, and used for
    /// a quarter more, so that no request waits.
    static func freshness(_ rest: Duration, margin: Duration) -> FetchSchedule.Freshness {
        FetchSchedule.Freshness(renewal: rest - min(margin, rest / 2), end: rest - min(.seconds(reserve), rest / 4))
    }

    /// A token that is still valid for some seconds; nil if there is none yet.
    var current: AccessToken? { kept.current }

    /// A token that is still valid for some seconds, or why there is none. Waits for the pending fetch if that is not known.
    package func token() async throws(AccessTokenError) -> AccessToken { try await kept.get() }

    /// A service refused this token with the status 401: fetches another one, unless that was done a short time ago.
    package func reject(_ token: AccessToken) { kept.discard { $0.hasSameValue(as: token) } }

    /// Whether there is a token, and until when.
    package func state() -> AccessTokenState {
        let (token, error) = kept.known
        return AccessTokenState(validUntil: token?.expiresAt, lastError: error)
    }

    /// Fetches the first token and renews each one in time even without requests, until this object is released. Whether that
    /// begins now.
    package func keepFresh() -> Bool { kept.keepFresh() }
}
