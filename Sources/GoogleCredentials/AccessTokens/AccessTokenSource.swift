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
    /// Receives a token or an error.
    package typealias Completion = @Sendable (Result<AccessToken, AccessTokenError>) -> Void

    /// Seconds before its expiry from which a token is renewed while it is used.
    static let usualMargin: Int64 = 300
    /// Seconds before its expiry from which a token is not used any more, since a request takes time.
    static let reserve: Int64 = 10
    /// A token that is refused for another reason than its age must not cause a fetch for each request.
    static let rejectionPause = Duration.seconds(30)

    private let kept: RefreshedValue<AccessToken, AccessTokenError>

    /// A source without a token. `fetch` fetches one and calls its completion exactly once, on any thread; `clock` returns
    /// seconds since the epoch, `monotonic` a time that never goes back; `refreshMargin` is how many seconds before its
    /// expiry a token is renewed.
    package init(
        fetch: @escaping @Sendable (@escaping Completion) -> Void, clock: @escaping @Sendable () -> Int64,
        monotonic: @escaping @Sendable () -> Duration = SigningClock.system.monotonic, refreshMargin: Int64 = 300
    ) {
        kept = RefreshedValue(
            FetchSchedule(
                longestPause: .seconds(30), demandPauses: Self.rejectionPause...Self.rejectionPause),
            clock: monotonic, jitter: SigningClock.system.random, fetch: fetch
        ) { token, _ in
            (Self.freshness(.seconds(max(0, token.expiresAt - clock())), margin: .seconds(refreshMargin)), true)
        }
    }

    /// A metadata server may return a token that it cached: one with a short rest is renewed after half of it, and used for
    /// a quarter more, so that no request waits.
    static func freshness(_ rest: Duration, margin: Duration) -> FetchSchedule.Freshness {
        FetchSchedule.Freshness(renewal: rest - min(margin, rest / 2), end: rest - min(.seconds(reserve), rest / 4))
    }

    /// A token that is still valid for some seconds, or why there is none. The completion is called exactly once: before
    /// this returns if that is known, or else when the fetch in flight has ended.
    package func token(_ completion: @escaping Completion) { kept.get(completion) }

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
