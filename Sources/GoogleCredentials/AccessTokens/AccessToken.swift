import Concurrency
import HTTPClient
import StrictJSON

/// A token for Google's APIs (RFC 6749 section 1.4), sent as `Authorization: Bearer` (RFC 6750).
package struct AccessToken: Sendable {
    /// Visible ASCII.
    package let value: Secret
    /// When it expires, in seconds since the epoch.
    package let expiresAt: Int64

    /// Whether both have the same text.
    func hasSameValue(as other: AccessToken) -> Bool { value.value.hasSameBytes(as: other.value.value) }
}

/// Why an access token could not be had. It holds nothing secret.
package struct AccessTokenError: Error, Hashable, Sendable {
    /// One sentence: what was wrong, with which endpoint or file, and what was expected.
    package let sentence: String
    /// Whether it may pass without the operator, such as a timeout.
    package let isTransient: Bool
    /// The status of the HTTP answer that was refused; nil if the cause is not an answer's status.
    package let status: Int?
    /// What a service said when it refused; nil if none did, or it gave no reason.
    private(set) var reason: RefusalReason?
    /// How one of Google's APIs refused; nil for other errors.
    private(set) var refusal: GoogleRefusal?
    /// Whether the service that was asked is not there, or something else in its place.
    private(set) var isOfAbsentService = false
    /// Why a service did not answer; nil if it did.
    private(set) var outage: HTTPClientError?

    /// An error with this sentence.
    package init(_ sentence: String, isTransient: Bool = false, status: Int? = nil) {
        (self.sentence, self.isTransient, self.status) = (sentence, isTransient, status)
    }

    /// The same error where it means that the service that was asked is not there.
    var ofAbsentService: AccessTokenError {
        var error = self
        error.isOfAbsentService = true
        return error
    }

    /// The refusal of a service, in these words.
    init(_ sentence: String, isTransient: Bool, _ response: HTTPClientResponse, _ reason: RefusalReason?) {
        self.init(sentence, isTransient: isTransient, status: response.status)
        (self.reason, refusal) = (reason, GoogleAPIError(response)?.refusal(response.status))
    }

    /// The error of a request without an answer.
    init(_ outage: HTTPClientError) {
        let isTransient =
            switch outage.cause {
            case .unresolved, .cannotConnect, .proxy, .timeout, .busy, .shutDown, .other: true
            case .tls, .tooLarge, .redirect: false
            }
        self.init(outage.sentence, isTransient: isTransient, status: outage.status)
        self.outage = outage
    }
}

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
