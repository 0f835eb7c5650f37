import HTTPServer
import HTTPServerTLS

extension Configuration {
    /// The listener for operators.
    package struct Admin: Sendable, Equatable {
        /// Where it listens; empty for nowhere.
        package var listen: [SocketAddress] = [.ipv4(0x7F00_0001, port: 8090)]
        /// The names that requests may be for, besides addresses and loopback names.
        package var allowedHosts: [String] = []
        /// Whether it serves the console, a page for browsers.
        package var hasConsole = true
    }

    /// An address, what is served there, and how.
    package struct Listener: Sendable, Equatable {
        /// What is served.
        package enum Service: String, CaseIterable, Sendable {
            /// Tokens, for apps.
            case `public`
            /// Metrics, readiness and reload, for operators.
            case admin
        }

        package var address: SocketAddress
        /// Which certificate TLS requires of clients; nil without TLS.
        package let clients: ClientDemand?
        package let service: Service
        /// Whether clients of plain HTTP may begin with HTTP/2; nil if `http2.prior_knowledge` decides.
        package var h2c: Bool?

        package var isSecure: Bool { clients != nil }
        /// The URL for clients.
        package var url: String { address.url(isSecure: isSecure) }
    }

    /// A key that says where to listen.
    package enum ListeningKey: String, CaseIterable {
        case plain = "listen"
        case tls = "tls.listen"
        case admin = "admin.listen"
        /// Each of these has its own settings; for the others the key decides.
        case list = "listeners"
    }

    /// All listeners, of all keys.
    package var allListeners: [Configuration.Listener] { Configuration.ListeningKey.allCases.flatMap(listeners) }

    /// The listeners of a service, those without TLS first. On a kernel without IPv6, one for all of IPv4 is enough where there
    /// would be one for all of IPv6 too: the image has both.
    package func listeners(serving service: Configuration.Listener.Service) -> [Configuration.Listener] {
        let all = allListeners.filter { $0.service == service }
        let usable = all.filter { listener in
            guard !SocketAddress.hasIPv6, case .ipv6("::", let port) = listener.address else { return true }
            return !all.contains { $0.address == .ipv4(0, port: port) }
        }
        return usable.filter { !$0.isSecure } + usable.filter(\.isSecure)
    }

    /// Whether operators get the console: it is on, and something listens for them.
    package var servesConsole: Bool { admin.hasConsole && !listeners(serving: .admin).isEmpty }

    /// The listeners of a key.
    package func listeners(of key: Configuration.ListeningKey) -> [Configuration.Listener] {
        switch key {
        case .plain: listen.map { Configuration.Listener(address: $0, clients: nil, service: .public) }
        case .tls: tls.listen.map(secureListener)
        case .admin: admin.listen.map { Configuration.Listener(address: $0, clients: nil, service: .admin) }
        case .list: listeners
        }
    }

    /// The listener of an address in `tls.listen`.
    func secureListener(at address: SocketAddress) -> Configuration.Listener {
        Configuration.Listener(address: address, clients: tls.clientCertificates, service: .public)
    }

    /// Whether clients of a listener may begin with HTTP/2 without TLS.
    package func speaksH2C(at listener: Configuration.Listener) -> Bool {
        let isUsual = http2.priorKnowledge && listener.service == .public
        return !listener.isSecure && listener.h2c ?? isUsual
    }

    /// The listeners of a service without TLS, as a server takes them.
    package func plainListeners(serving service: Configuration.Listener.Service) -> [PlainListener] {
        listeners(serving: service).filter { !$0.isSecure }.map {
            PlainListener($0.address, recognisesPreface: speaksH2C(at: $0))
        }
    }

    /// Replaces a key's listeners by others of the same kind.
    mutating func replaceListeners(of key: Configuration.ListeningKey, by new: [Configuration.Listener]) {
        let addresses = new.map(\.address)
        switch key {
        case .plain: listen = addresses
        case .tls: tls.listen = addresses
        case .admin: admin.listen = addresses
        case .list: listeners = new
        }
    }
}

extension SocketAddress {
    /// The URL for clients.
    package func url(isSecure: Bool) -> String {
        if case .unix = self { return description }
        return "\(isSecure ? "https" : "http")://\(description)"
    }

    /// Whether the system chooses the port, so that the address may be repeated.
    package var takesAnyPort: Bool { port == 0 }

    /// Whether a socket bound here also receives connections to another address. One for all of IPv6 receives those of
    /// IPv4 too, unless it is limited to IPv6 (ipv6(7)).
    func takes(_ other: SocketAddress) -> Bool {
        guard port == other.port else { return false }
        return switch self {
        case .ipv6("::", _): true
        case .ipv4(0, _): family == other.family
        default: self == other
        }
    }

    /// Nil for a unix socket.
    private var port: UInt16? {
        switch self {
        case .ipv4(_, let port), .ipv6(_, let port): port
        case .unix: nil
        }
    }
}
