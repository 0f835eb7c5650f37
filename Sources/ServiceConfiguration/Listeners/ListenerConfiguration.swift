import HTTPServer
import HTTPServerTLS

extension Configuration {
    /// Where something is served, and how.
    package struct Listener: Sendable, Equatable {
        /// What is served.
        package enum Service: String, CaseIterable, Sendable {
            /// What apps ask for.
            case `public`
            /// What whoever runs the daemon asks for.
            case admin
        }

        /// Where.
        package var address: SocketAddress
        /// What TLS demands of clients; nil where bytes are plain.
        package let clients: ClientDemand?
        package let service: Service
        /// Whether clients may begin with HTTP/2 in clear; nil where the listener does not say.
        package var h2c: Bool?

        /// Whether it is TLS that is spoken.
        package var isSecure: Bool { clients != nil }
        /// What to give a client.
        package var url: String { address.url(isSecure: isSecure) }
    }

    /// A key that says where to listen.
    package enum ListeningKey: String, CaseIterable {
        case plain = "listen"
        case tls = "tls.listen"
        case admin = "admin.listen"
        /// Each of these says itself what it is; an address of the others is what its key says.
        case list = "listeners"
    }
}

extension ConfigurationValues {
    /// All listeners, by whichever key.
    package var allListeners: [Configuration.Listener] { Configuration.ListeningKey.allCases.flatMap(listeners) }

    /// Those that serve this, the plain ones first.
    package func listeners(serving service: Configuration.Listener.Service) -> [Configuration.Listener] {
        let all = allListeners.filter { $0.service == service }
        return all.filter { !$0.isSecure } + all.filter(\.isSecure)
    }

    /// The listeners of a key.
    package func listeners(of key: Configuration.ListeningKey) -> [Configuration.Listener] {
        switch key {
        case .plain: listen.map { Configuration.Listener(address: $0, clients: nil, service: .public) }
        case .tls: tls.listen.map(secureListener)
        case .admin: admin.listen.map { Configuration.Listener(address: $0, clients: nil, service: .admin) }
        case .list: listeners
        }
    }

    /// What an address of `tls.listen` is, or would be.
    func secureListener(at address: SocketAddress) -> Configuration.Listener {
        Configuration.Listener(address: address, clients: tls.clientCertificates, service: .public)
    }

    /// Whether clients of a listener may begin with HTTP/2 in clear.
    package func speaksH2C(at listener: Configuration.Listener) -> Bool {
        let isUsual = http2.priorKnowledge && listener.service == .public
        return !listener.isSecure && listener.h2c ?? isUsual
    }

    /// Those that serve this without TLS, as a server takes them.
    package func plainListeners(serving service: Configuration.Listener.Service) -> [PlainListener] {
        listeners(serving: service).filter { !$0.isSecure }.map {
            PlainListener($0.address, recognisesPreface: speaksH2C(at: $0))
        }
    }

    /// Puts these in the place of a key's listeners, whose kind they must be.
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
    /// What to give a client.
    package func url(isSecure: Bool) -> String {
        if case .unix = self { return description }
        return "\(isSecure ? "https" : "http")://\(description)"
    }

    /// Whether the system chooses the port, so that the same address may be given more than once.
    package var takesAnyPort: Bool { port == 0 }

    /// Whether a socket that is bound here takes what comes to another address; one for all of IPv6 takes IPv4's as well,
    /// unless it was told not to (ipv6(7)).
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
