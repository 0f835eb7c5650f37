import FleetEngineToken
import HTTPClient

/// How a call to `signJwt` failed, and what follows from it.
struct SigningFault: Error, Hashable, Sendable {
    /// The result if this is the last try.
    let error: RemoteSigningError
    /// Whether to try again.
    let failure: RetrySchedule.Failure
    /// How the circuit breaker counts the call.
    let outcome: CircuitBreaker.Outcome
    /// Whether Google says that the quota is used up.
    var isQuota = false
    /// Whether the cause may be that the account does not exist.
    var mayMeanMissingAccount = false

    /// Seconds for which no signature is asked for if Google says that the quota is used up, but not for how long. It
    /// counts signatures by the minute.
    static let quotaPause = 10

    /// The request was not answered.
    init(_ cause: HTTPClientError) {
        error = RemoteSigningError(reason: "no signature: \(cause.sentence)", retryAfter: 1, cause.remedy)
        switch cause.cause {
        // This machine is too busy, which says nothing about Google.
        case .timeout(.waiting, _), .timeout(.late, _), .busy, .shutDown: (failure, outcome) = (.final, .unknown)
        // A connection lost within the handshake counts as TLS.
        case .unresolved, .cannotConnect, .tls, .proxy, .timeout, .other:
            (failure, outcome) = (.transient(retryAfter: nil), .failure)
        case .tooLarge, .redirect: (failure, outcome) = (.final, .failure)
        }
    }

    /// The answer with the status 200 is not what was asked for.
    init(_ cause: SignedJWTError, _ call: SignJWTCall) {
        error = RemoteSigningError(
            reason: "no signature: \(call.url.endpoint) \(cause.problem)", retryAfter: cause.isGarbage ? 1 : nil,
            call.remedy(cause))
        (failure, outcome) = (.final, .failure)
    }

    /// Another status than 200; `now` is in seconds since the epoch. The access token is hidden if the answer holds it.
    init(_ response: HTTPClientResponse, _ call: SignJWTCall, _ token: Secret, at now: Int64) {
        let google = GoogleAPIError(response)
        let refusal = SigningRefusal(status: response.status, google: google, call: call, token: token)
        func error(retryAfter: Int?) -> RemoteSigningError {
            RemoteSigningError(
                reason: refusal.sentence, retryAfter: retryAfter, call.remedy(google, response.status))
        }
        let wait = RetryAfter.duration(response, at: now) ?? google?.retryDelay
        // Clients are never told to come back at once.
        let seconds = wait.map { max(1, $0.wholeSeconds) }
        switch response.status {
        case 429:
            self.error = error(retryAfter: seconds ?? Self.quotaPause)
            // Another try at a time of our own would use the quota up again.
            failure = wait.map { .transient(retryAfter: $0) } ?? .final
            outcome = .success
            isQuota = true
        case 500, 502, 503, 504:
            self.error = error(retryAfter: seconds ?? 1)
            (failure, outcome) = (.transient(retryAfter: wait), .failure)
        case 401:
            self.error = error(retryAfter: nil)
            (failure, outcome) = (.tokenRejected, .success)
        default:
            // Google's own object says what to fix; anything else comes from something in between.
            self.error = error(retryAfter: google == nil ? 1 : nil)
            (failure, outcome) = (.final, google == nil ? .failure : .success)
            mayMeanMissingAccount = refusal.isPermission
        }
    }

    /// The pause that Google asks for; nil if it does not.
    var retryAfter: Duration? {
        if case .transient(let retryAfter) = failure { retryAfter } else { nil }
    }
}
