/// Why a request was not answered: who was asked, and what went wrong.
///
/// For the log: no path, no query, no field and nothing of a body is in it.
package struct HTTPClientError: Error, Hashable, Sendable {
    /// Where a request was when its time was up.
    package enum Phase: Hashable, Sendable {
        case waiting, connecting, answering
    }

    /// What went wrong.
    package enum Cause: Hashable, Sendable {
        /// The name is not known, or nobody listens there.
        case cannotConnect(reason: String)
        /// TLS could not be agreed on, or the certificate is not to be trusted.
        case tls(reason: String)
        /// The time was up.
        case timeout(Phase, after: Duration)
        /// The answer's fields or its body are over their limit.
        case tooLarge(part: String, limit: Int)
        /// The answer leads elsewhere, and does not go there: too often, or to where nothing may be sent.
        case redirect(reason: String)
        /// As many requests are waiting as may.
        case busy(waiting: Int)
        /// The client was shut down.
        case shutDown
        /// Anything else, such as an answer that is cut off.
        case other(reason: String)
    }

    /// The host and the port that were asked.
    package let endpoint: String
    /// What went wrong.
    package let cause: Cause
    /// The status of an answer that was cut off for its size; nil for whatever else went wrong.
    package let status: Int?

    init(endpoint: String, cause: Cause, status: Int? = nil) {
        (self.endpoint, self.cause, self.status) = (endpoint, cause, status)
    }

    /// One sentence for the log.
    package var sentence: String {
        switch cause {
        case .cannotConnect(let reason): "\(endpoint) cannot be reached: \(reason)"
        case .tls(let reason): "\(endpoint) cannot be spoken to by TLS: \(reason)"
        case .timeout(.waiting, let limit): "\(endpoint) was not asked, since no connection was free for \(limit)"
        case .timeout(.connecting, let limit): "\(endpoint) was not connected to within \(limit)"
        case .timeout(.answering, let limit): "\(endpoint) did not answer in full within \(limit)"
        case .tooLarge(let part, let limit): "\(endpoint) answered with \(part) of more than \(limit) bytes"
        case .redirect(let reason): "\(endpoint) answered with a redirect that is not followed: \(reason)"
        case .busy(let waiting): "\(endpoint) was not asked, since \(waiting) requests are waiting already"
        case .shutDown: "\(endpoint) did not answer before the client was shut down"
        case .other(let reason): "\(endpoint) did not answer in full: \(reason)"
        }
    }
}
