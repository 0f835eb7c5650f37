import StrictJSON

/// A proxy that requests over https go through, by CONNECT (RFC 9110 section 9.3.6), and the hosts that need none.
package struct OutgoingProxy: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The form of its text, for messages after "expected".
    package static let expectation = "http://[USER:PASSWORD@]HOST:PORT"

    /// The host and the port.
    package let endpoint: String
    /// The URL, credentials included.
    let text: String
    /// The hosts that are reached without it.
    package var exceptions: [ProxyException] = []

    /// Nil if the text has another form. In variables, http:// may be missing before the host, and a slash follow the port.
    package init?(_ text: String) {
        let address = text.hasPrefix("http://") ? text.dropFirst(7) : text[...]
        let start = address.lastIndex(of: "@").map { address.index(after: $0) } ?? address.startIndex
        let (credentials, place) = (address[..<start], address[start...].lowercased())
        // RFC 3986 section 3.2.1, so that libcurl finds the same host in the URL.
        guard credentials.dropLast().utf8.allSatisfy({ $0.isAlphanumeric(or: "-._~%!$&'()*+,;=:") }),
            let url = try? OutgoingURL(plain: "http://\(place)", toHosts: nil),
            [url.endpoint, "\(url.endpoint)/"].contains(place)
        else { return nil }
        endpoint = url.endpoint
        self.text = "http://\(credentials)\(endpoint)"
    }

    /// Without the credentials.
    package var description: String { endpoint }
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// Whether requests to a URL go through it. Plain http does not: it is for this machine and its neighbours, such as a
    /// metadata server, and a proxy would read it.
    package func carries(_ url: OutgoingURL) -> Bool {
        guard url.isSecure, let host = OutgoingHost(Substring(url.host)), !host.isLoopback else { return false }
        return !exceptions.contains { $0.includes(host) }
    }
}

/// Hosts that are reached without a proxy, as in curl's NO_PROXY.
package enum ProxyException: Equatable, Sendable {
    case everything
    /// A host and all below it.
    case domain(String)
    /// Addresses whose first bits are these.
    case addresses([UInt8], bits: Int)

    /// Nil if the text is none of `*`, a domain, with or without a dot before it, an address, or a range of addresses.
    package init?(_ text: String) {
        guard text != "*" else {
            self = .everything
            return
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let name = parts.first else { return nil }
        let bare = name.hasPrefix(".") ? name.dropFirst() : name
        guard let host = OutgoingHost(bare.contains(":") && !bare.hasPrefix("[") ? "[\(bare)]" : bare) else {
            return nil
        }
        if let address = host.address {
            let most = address.count * 8
            guard let bits = parts.count == 1 ? most : Int(parts[1]), (0...most).contains(bits) else { return nil }
            self = .addresses(address, bits: bits)
        } else {
            guard parts.count == 1 else { return nil }
            self = .domain(host.text)
        }
    }

    func includes(_ host: OutgoingHost) -> Bool {
        switch self {
        case .everything: return true
        case .domain(let name): return host.text == name || host.text.hasSuffix(".\(name)")
        case .addresses(let address, let bits):
            guard let other = host.address, other.count == address.count else { return false }
            return zip(address, other).enumerated().allSatisfy { index, pair in
                (pair.0 ^ pair.1) >> (8 - min(8, max(0, bits - 8 * index))) == 0
            }
        }
    }
}
