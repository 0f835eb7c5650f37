import StrictJSON

/// A proxy that requests over https go through, by CONNECT (RFC 9110 section 9.3.6), and the hosts that need none.
package struct OutgoingProxy: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The form of its text, for messages after "expected".
    package static let expectation = "http://[USER:PASSWORD@]HOST[:PORT]"

    /// The host and the port.
    package let endpoint: String
    /// The URL, credentials included.
    let text: String
    /// The hosts that are reached without it.
    package var exceptions: [ProxyException] = []

    /// Nil if the text has another form. In variables, http:// may be missing before the host, and a slash follow the port.
    /// Without a port it is curl's.
    package init?(_ text: String) {
        let address = text.prefix(7).lowercased() == "http://" ? text.dropFirst(7) : text[...]
        let start = address.lastIndex(of: "@").map { address.index(after: $0) } ?? address.startIndex
        let (credentials, rest) = (address[..<start], address[start...].lowercased())
        let bare = rest.hasSuffix("/") ? rest.dropLast() : rest[...]
        guard let (host, port) = try? OutgoingURL.split(bare) else { return nil }
        let place = port == nil ? "\(host):1080" : String(bare)
        // RFC 3986 section 3.2.1, so that libcurl finds the same host in the URL.
        guard credentials.dropLast().utf8.allSatisfy({ $0.isAlphanumeric(or: "-._~%!$&'()*+,;=:") }),
            let url = try? OutgoingURL(plain: "http://\(place)", toHosts: nil),
            url.endpoint == place
        else { return nil }
        endpoint = url.endpoint
        self.text = "http://\(credentials)\(endpoint)"
    }

    /// Without the credentials.
    package var description: String {
        exceptions.isEmpty ? endpoint : "\(endpoint), except to \(exceptions.map(\.text).joined(separator: ", "))"
    }
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// Whether requests to a URL go through it. Plain http does not: it is for this machine and its neighbours, such as a
    /// metadata server, and a proxy would read it.
    package func carries(_ url: OutgoingURL) -> Bool {
        guard url.isSecure, let host = OutgoingHost(Substring(url.host)), !host.isThisMachine else { return false }
        return !exceptions.contains { $0.includes(host, url.port) }
    }
}

/// Hosts that are reached without a proxy, as in the NO_PROXY of curl and of Go.
package struct ProxyException: Equatable, Sendable {
    private enum Hosts: Equatable {
        case all
        /// A host and all below it.
        case domain(String)
        /// Addresses whose first bits are these.
        case addresses([UInt8], bits: Int)
    }

    /// The form of its text, for messages after "expected".
    package static let expectation = "*, a host, .DOMAIN or an address, each with or without :PORT, or ADDRESS/BITS"

    /// As it was written.
    let text: String
    private let hosts: Hosts
    /// The only port; nil for all.
    private let port: UInt16?

    /// Nil if the text has another form. `*.DOMAIN` is read as `.DOMAIN`.
    package init?(_ text: String) {
        self.text = text
        guard text != "*" else {
            (hosts, port) = (.all, nil)
            return
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let name = parts.first else { return nil }
        let bare = name.trimmingPrefix(name.hasPrefix("*.") ? "*." : ".")
        let isBareIPv6 = !bare.hasPrefix("[") && bare.count { $0 == ":" } > 1
        guard let (place, port) = try? OutgoingURL.split(isBareIPv6 ? "[\(bare)]" : bare),
            let host = OutgoingHost(place),
            parts.count == 1 || port == nil
        else { return nil }
        self.port = port
        guard let address = host.address else {
            guard parts.count == 1 else { return nil }
            hosts = .domain(host.text)
            return
        }
        let most = address.count * 8
        guard let bits = parts.count == 1 ? most : Int(parts[1]), (0...most).contains(bits) else { return nil }
        hosts = .addresses(address, bits: bits)
    }

    /// Whether both name the same hosts, however they are written.
    package static func == (one: ProxyException, other: ProxyException) -> Bool {
        one.hosts == other.hosts && one.port == other.port
    }

    func includes(_ host: OutgoingHost, _ port: UInt16) -> Bool {
        guard self.port == nil || self.port == port else { return false }
        switch hosts {
        case .all: return true
        case .domain(let name): return host.text == name || host.isBelow(name)
        case .addresses(let address, let bits):
            guard let other = address.count == 4 ? host.reached : host.address, other.count == address.count else {
                return false
            }
            return zip(address, other).enumerated().allSatisfy { index, pair in
                (pair.0 ^ pair.1) >> (8 - min(8, max(0, bits - 8 * index))) == 0
            }
        }
    }
}
