import HTTPServer

/// The hosts that a request of the admin listener may be for.
///
/// A web page whose name resolves to this machine's address (DNS rebinding) can read answers that a browser fetches for
/// it, but the browser sends the page's name. So a name must be known. An address in
/// `Host` was not rebound.
struct AdminHosts: Sendable {
    /// In lower case.
    private let names: Set<String>

    /// Loopback names, addresses and these names.
    init(_ names: [String]) { self.names = Set(names.map { $0.lowercased() }) }

    /// Whether the request is for one of them. Clients of a unix socket are not on the network, and a request without
    /// `Host` (HTTP/1.0) is not of a browser.
    func include(_ request: borrowing HTTPRequest) -> Bool {
        guard request.peer != nil, let authority = request.field("host") else { return true }
        return includes(authority: authority)
    }

    /// A `uri-host` with an optional port (RFC 9110 section 7.2), whose grammar was checked.
    func includes(authority: String) -> Bool {
        if authority.hasPrefix("[") { return true }
        var name = authority.prefix { $0 != ":" }.lowercased()
        if IPAddress(name) != nil { return true }
        if name.hasSuffix(".") { name.removeLast() }
        return name == "localhost" || name.hasSuffix(".localhost") || names.contains(name)
    }
}
