import HTTPServer

extension ConfigurationRule {
    /// A loopback address usually has a reverse proxy in front. If the configuration does not name it, all its clients are one
    /// peer, which has no limit, because the limit would apply to all of them together.
    static let unnamedProxy = ConfigurationRule(
        keys: ["proxies.trusted", "proxies.unix_sockets", "proxies.proxy_protocol"]
    ) { values in
        let limits = values.limits
        guard values.authenticates, limits.countAddresses else { return nil }
        let listeners = values.listeners(serving: .public)
        if let address = listeners.map(\.address).first(where: { values.proxies.leavesOneClient(at: $0) }) {
            return "no proxy is named at \"\(address)\": peers on this machine have no address limit. Neither have the "
                + "clients of a reverse proxy there; expected \(address.expectedProxy)"
        }
        // Remote clients seldom use plain HTTP: a proxy in front has TLS, and may be on this machine.
        let open = listeners.first { !$0.isSecure && $0.address.isUnspecified && values.proxies.isEmpty }
        return (open?.address).map { address in
            "no proxy is named at \"\(address)\": peers on this machine have no address limit. Neither have the "
                + "clients of a reverse proxy here; expected \(address.expectedProxy), if there is one"
        }
    }
}

extension Configuration.Limits {
    /// Whether addresses are limited, by requests or by failures.
    package var countAddresses: Bool { addressRate > 0 || failureRate > 0 }
}

extension Configuration.Proxies {
    /// Whether all peers at an address are on this machine and count as one.
    fileprivate func leavesOneClient(at address: SocketAddress) -> Bool {
        guard address.isLoopback else { return false }
        guard let peer = address.localPeer.flatMap({ IPAddress($0) }) else { return !unixSockets }
        return !(trusted + proxyProtocol).contains { $0.contains(peer) }
    }

    /// Whether no proxy is named.
    fileprivate var isEmpty: Bool { trusted.isEmpty && proxyProtocol.isEmpty }
}

extension SocketAddress {
    /// The setting that names a proxy on this machine.
    fileprivate var expectedProxy: String {
        localPeer.map { "\($0) in proxies.trusted or proxies.proxy_protocol" } ?? "proxies.unix_sockets: true"
    }

    /// The address of peers on this machine; nil for a unix socket.
    fileprivate var localPeer: String? {
        switch self {
        case .ipv4: "127.0.0.1"
        case .ipv6(let address, _): address.hasPrefix("::ffff:") ? "127.0.0.1" : "::1"
        case .unix: nil
        }
    }
}
