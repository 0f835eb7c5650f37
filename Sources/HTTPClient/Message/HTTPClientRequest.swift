/// A request to another service; valid once it exists.
package struct HTTPClientRequest: Sendable {
    /// What is asked for (RFC 9110 section 9.3).
    package enum Method: Hashable, Sendable {
        /// To be sent a representation; redirects are followed within the limits.
        case get
        /// To take this body; a redirect is an error, since nobody but the one asked may see what is posted.
        case post([UInt8])
    }

    /// Whom it goes to.
    package let url: OutgoingURL
    /// What is asked for.
    package let method: Method
    /// What goes with it, in order; not to another origin that a redirect leads to.
    package let fields: [HTTPClientField]
    /// How long it may take and how much may come of it.
    package let limits: HTTPClientLimits

    /// A request; throws on a field that is the client's own to send.
    package init(
        url: OutgoingURL, method: Method = .get, fields: [HTTPClientField] = [], limits: HTTPClientLimits
    ) throws(HTTPClientFieldError) {
        try Self.check(fields)
        self.url = url
        self.method = method
        self.fields = fields
        self.limits = limits
    }

    /// Throws on a field that no request may have, since it is the client's own to send.
    package static func check(_ fields: [HTTPClientField]) throws(HTTPClientFieldError) {
        if let reserved = fields.first(where: { reservedNames.contains($0.name) }) {
            throw .reserved(name: reserved.name)
        }
    }

    /// What frames and routes a message (RFC 9110 section 7.6.1, RFC 9112 section 6), or would have the body encoded.
    private static let reservedNames: Set<String> = [
        "accept-encoding", "connection", "content-length", "expect", "host", "keep-alive", "proxy-connection", "te",
        "trailer", "transfer-encoding", "upgrade",
    ]
}
