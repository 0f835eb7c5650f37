/// A request to another service; valid once it exists.
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

    /// Throws for a field that only the client sets.
    package init(
        url: OutgoingURL, method: Method = .get, fields: [HTTPClientField] = [], limits: HTTPClientLimits,
        sender: UInt64? = nil
    ) throws(HTTPClientFieldError) {
        try Self.check(fields)
        self.url = url
        self.method = method
        self.fields = fields
        self.limits = limits
        self.sender = sender
    }

    /// Throws for a field that no request may have, since only the client sets it.
    package static func check(_ fields: [HTTPClientField]) throws(HTTPClientFieldError) {
        if let reserved = fields.first(where: { reservedNames.contains($0.name) }) {
            throw .reserved(name: reserved.name)
        }
    }

    /// Fields that control framing and routing (RFC 9110 section 7.6.1, RFC 9112 section 6) or the encoding of the
    /// body.
    private static let reservedNames: Set<String> = [
        "accept-encoding", "connection", "content-length", "expect", "host", "keep-alive", "proxy-connection", "te",
        "trailer", "transfer-encoding", "upgrade",
    ]
}
