/// Settings for all requests of a client: constants of this program, or settings whose range is within this one.
package struct HTTPClientSettings: Sendable {
    /// The most connections.
    package let maxConnections: Int
    /// The most connections to one host and port.
    package let maxConnectionsPerHost: Int
    /// How many requests share a connection of HTTP/2; HTTP/1.1 carries one after another (RFC 9113 section 5.1.2).
    package let maxRequestsPerConnection: Int
    /// How many requests may wait for an active one to end.
    package let maxWaiting: Int
    package let egress: Egress

    package init(
        maxConnections: Int = 16, maxConnectionsPerHost: Int = 8, maxRequestsPerConnection: Int = 1,
        maxWaiting: Int = 1024, egress: Egress = Egress()
    ) {
        precondition(maxConnections <= 256 && 1...maxConnections ~= maxConnectionsPerHost)
        precondition(1...100 ~= maxRequestsPerConnection && 1...65_536 ~= maxWaiting)
        (self.maxConnections, self.maxConnectionsPerHost) = (maxConnections, maxConnectionsPerHost)
        (self.maxRequestsPerConnection, self.maxWaiting) = (maxRequestsPerConnection, maxWaiting)
        self.egress = egress
    }

    /// How many requests are active at once.
    var maxActive: Int { maxConnections * maxRequestsPerConnection }

    /// How many requests to one host and port are active at once.
    var maxActivePerHost: Int { maxConnectionsPerHost * maxRequestsPerConnection }
}

/// How requests leave this machine.
package struct Egress: Equatable, Sendable {
    /// The authorities that are trusted instead of the system's; nil for the system's.
    let authorities: TrustedAuthorities?
    private let proxy: OutgoingProxy?

    package init(trusting authorities: TrustedAuthorities? = nil, through proxy: OutgoingProxy? = nil) {
        (self.authorities, self.proxy) = (authorities, proxy)
    }

    /// How requests over https leave, without credentials: a sentence.
    package var way: String { "requests over https go " + (proxy.map { "through the proxy \($0)" } ?? "directly") }

    /// Whether none needs a proxy.
    package var isDirect: Bool { proxy == nil }

    /// The proxy that requests to a URL go through; nil for none.
    func proxy(to url: OutgoingURL) -> OutgoingProxy? { proxy.flatMap { $0.carries(url) ? $0 : nil } }
}

/// Certificates of authorities in PEM, at one address as long as a transfer may read them.
///
/// `@unchecked Sendable`: nothing changes the bytes after the initialiser.
package final class TrustedAuthorities: Equatable, @unchecked Sendable {
    let bytes: UnsafeRawBufferPointer

    /// Authorities with these certificates.
    package init(_ pem: [UInt8]) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: pem.count, alignment: 1)
        copy.copyBytes(from: pem)
        bytes = UnsafeRawBufferPointer(copy)
    }

    deinit { bytes.deallocate() }

    package static func == (one: TrustedAuthorities, other: TrustedAuthorities) -> Bool {
        one.bytes.elementsEqual(other.bytes)
    }
}
