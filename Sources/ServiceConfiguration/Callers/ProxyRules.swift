import HTTPServer

extension ConfigurationRule {
    /// A reverse proxy on this machine is the usual way to be reached at an address for this machine alone; where it is not
    /// named, all its clients are one peer, who is held to no limit lest all of them be.
    static let unnamedProxy = ConfigurationRule(
        keys: ["proxies.trusted", "proxies.unix_sockets", "proxies.proxy_protocol"]
    ) { values in
        let limits = values.limits
        guard values.authenticates, limits.countAddresses else { return nil }
        let listeners = values.listeners(serving: .public)
        if let address = listeners.map(\.address).first(where: { values.proxies.leavesOneClient(at: $0) }) {
            return "no proxy is named at \"\(address)\", whose peers are on this machine and not held to the limits of "
                + "addresses, nor are the clients of a reverse proxy there; expected \(address.expectedProxy)"
        }
        // Clients elsewhere seldom ask in clear: something in front speaks TLS, and may be here.
        let open = listeners.first { !$0.isSecure && $0.address.isUnspecified && values.proxies.namesNobody }
        return (open?.address).map { address in
            "no proxy is named at \"\(address)\", and peers on this machine are not held to the limits of addresses, nor "
                + "are the clients of a reverse proxy here; expected, if there is one, \(address.expectedProxy)"
        }
    }
}

extension Configuration.Limits {
    /// Whether there is a limit of addresses, be it of their failures.
    package var countAddresses: Bool { addressRate > 0 || failureRate > 0 }
}

extension Configuration.Proxies {
    /// Whether all who come to an address are this machine's, and not told apart.
    fileprivate func leavesOneClient(at address: SocketAddress) -> Bool {
        guard address.isLoopback else { return false }
        guard let peer = address.localPeer.flatMap({ IPAddress($0) }) else { return !unixSockets }
        return !(trusted + proxyProtocol).contains { $0.contains(peer) }
    }

    /// Whether no peer at an address is named.
    fileprivate var namesNobody: Bool { trusted.isEmpty && proxyProtocol.isEmpty }
}

extension SocketAddress {
    /// How a proxy on this machine is named there.
    fileprivate var expectedProxy: String {
        localPeer.map { "\($0) in proxies.trusted or proxies.proxy_protocol" } ?? "proxies.unix_sockets: true"
    }

    /// Whom this machine is there, by address; nil for a unix socket.
    fileprivate var localPeer: String? {
        switch self {
        case .ipv4: "127.0.0.1"
        case .ipv6(let address, _): address.hasPrefix("::ffff:") ? "127.0.0.1" : "::1"
        case .unix: nil
        }
    }
}
