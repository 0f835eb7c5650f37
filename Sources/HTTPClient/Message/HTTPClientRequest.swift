/// A request to another service.
package struct HTTPClientRequest: Sendable {
    /// The method (RFC 9110 section 9.3).
    package enum Method: Hashable, Sendable {
        /// GET; redirects are followed within the limits.
        case get
        /// POST with this body; a redirect is an error, since only the original endpoint may see the body.
        case post([UInt8])
        /// PUT with this body; a redirect is an error.
        case put([UInt8])
    }

    package let url: OutgoingURL
    package let method: Method
    /// Its fields, in order; they are not sent to another origin after a redirect.
    package let fields: [HTTPClientField]
    package let limits: HTTPClientLimits
    /// For whom it is sent: of waiting requests, those whose senders have fewer active ones are first.
    package let sender: UInt64?

    package init(
        url: OutgoingURL, method: Method = .get, fields: [HTTPClientField] = [], limits: HTTPClientLimits,
        sender: UInt64? = nil
    ) {
        (self.url, self.method, self.fields) = (url, method, fields)
        (self.limits, self.sender) = (limits, sender)
    }
}
