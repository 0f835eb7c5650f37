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
