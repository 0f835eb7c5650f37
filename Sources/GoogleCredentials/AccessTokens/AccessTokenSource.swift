import Concurrency

/// One access token, which is fetched once for all who wait and renewed before it expires.
package typealias AccessTokenSource = RefreshedValue<AccessToken, AccessTokenError>

extension AccessTokenSource {
    /// Seconds before its expiry from which a token is renewed while it is used.
    package static var usualMargin: Int64 { 300 }
    /// Seconds before its expiry from which a token is not used any more, since a request takes time.
    static var reserve: Int64 { 10 }
    /// A token that is refused for another reason than its age must not cause a fetch for each request.
    static var rejectionPause: Duration { .seconds(30) }

    /// A source without a token; `refreshMargin` is how many seconds before its expiry a token is renewed.
    package convenience init(
        _ clock: SigningClock, refreshMargin: Int64 = usualMargin, fetch: @escaping Fetch
    ) {
        self.init(
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

    /// A service refused this token with the status 401: fetches another one, unless that was done a short time ago.
    package func reject(_ token: AccessToken) { discard { $0.hasSameValue(as: token) } }
}
