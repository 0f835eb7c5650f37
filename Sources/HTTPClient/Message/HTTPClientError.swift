/// Why a request was not answered: the endpoint, and what went wrong.
///
/// It is safe for the log: it holds no path, query, field or body.
package struct HTTPClientError: Error, Hashable, Sendable {
    /// The state of a request when it timed out.
    package enum Phase: Hashable, Sendable {
        /// No connection was free.
        case waiting
        /// DNS had not answered.
        case resolving
        /// There was no TCP connection.
        case connecting
        /// The TLS handshake had not ended.
        case securing
        case answering
        /// It had waited for a connection until too little time was left for an answer.
        case late
    }

    /// What went wrong.
    package enum Cause: Hashable, Sendable {
        /// DNS has no address for the name, or did not answer.
        case unresolved
        /// The TCP connection failed.
        case cannotConnect(reason: String)
        /// The TLS handshake failed, or the certificate is not trusted.
        case tls(reason: String)
        /// The proxy did not open a way: the predicate of a sentence.
        case proxy(reason: String)
        /// The time limit has passed.
        case timeout(Phase, after: Duration)
        /// The answer's fields or its body exceed their limit.
        case tooLarge(part: String, limit: Int)
        /// The answer is a redirect that is not followed: one too many, or to a URL that is not allowed.
        case redirect(reason: String)
        /// The queue of waiting requests is full.
        case busy(waiting: Int)
        /// The client was shut down.
        case shutDown
        /// Anything else, such as a truncated answer.
        case other(reason: String)
    }

    /// The host and the port of the request.
    package let endpoint: String
    /// What went wrong.
    package let cause: Cause
    /// The status of an answer that was too large, or of a redirect; nil for other causes.
    package let status: Int?
    /// The host and the port of the proxy in between; nil without one.
    package let proxy: String?

    /// An error of a request to this host and port.
    package init(endpoint: String, cause: Cause, status: Int? = nil, proxy: String? = nil) {
        (self.endpoint, self.cause, self.status, self.proxy) = (endpoint, cause, status, proxy)
    }

    /// One sentence for the log.
    package var sentence: String {
        let endpoint = proxy.map { "\(self.endpoint) (through the proxy \($0))" } ?? self.endpoint
        return switch cause {
        case .unresolved: "\(endpoint) cannot be reached: its name has no address, or no DNS server answers"
        case .cannotConnect(let reason): "\(endpoint) cannot be reached: \(reason)"
        case .tls(let reason): "\(endpoint) cannot be reached over TLS: \(reason)"
        case .proxy(let reason): "\(self.endpoint) cannot be reached: the proxy \(proxy ?? "") \(reason)"
        case .timeout(.waiting, let limit): "\(endpoint) was not contacted: no connection was free for \(limit)"
        case .timeout(.resolving, let limit): "\(endpoint) cannot be reached: no answer of DNS within \(limit)"
        case .timeout(.connecting, let limit): "\(endpoint) cannot be reached: no connection within \(limit)"
        case .timeout(.securing, let limit): "\(endpoint) cannot be reached over TLS: no handshake within \(limit)"
        case .timeout(.answering, let limit): "\(endpoint) did not answer in full within \(limit)"
        case .timeout(.late, let limit):
            "\(endpoint) did not answer in full within \(limit), part of which passed until a connection was free"
        case .tooLarge(let part, let limit): "\(endpoint) answered with \(part) of more than \(limit) bytes"
        case .redirect(let reason): "\(endpoint) answered with a redirect that is not followed: \(reason)"
        case .busy(let waiting): "\(endpoint) was not contacted: \(waiting) requests are already waiting"
        case .shutDown: "\(endpoint) did not answer before the client was shut down"
        case .other(let reason): "\(endpoint) did not answer in full: \(reason)"
        }
    }
}
