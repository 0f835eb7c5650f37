import HTTPServer
import HTTPServerTLS

extension Configuration {
    /// Where something is served, and how.
    struct Listener: Sendable, Equatable {
        /// What is served.
        enum Service: String, CaseIterable, Sendable {
            /// What apps ask for.
            case `public`
            /// What whoever runs the daemon asks for.
            case admin
        }

        /// Where.
        let address: SocketAddress
        /// What TLS demands of clients; nil where bytes are plain.
        let clients: ClientDemand?
        let service: Service

        /// Whether it is TLS that is spoken.
        var isSecure: Bool { clients != nil }
        /// What to give a client.
        var url: String { address.url(isSecure: isSecure) }
    }
}

extension ConfigurationValues {
    /// All listeners, by whichever key.
    var allListeners: [Configuration.Listener] {
        listen.map { Configuration.Listener(address: $0, clients: nil, service: .public) }
            + tls.listen.map { Configuration.Listener(address: $0, clients: tls.clientCertificates, service: .public) }
            + admin.listen.map { Configuration.Listener(address: $0, clients: nil, service: .admin) } + listeners
    }

    /// Those that serve this, the plain ones first.
    func listeners(serving service: Configuration.Listener.Service) -> [Configuration.Listener] {
        let all = allListeners.filter { $0.service == service }
        return all.filter { !$0.isSecure } + all.filter(\.isSecure)
    }
}

extension SocketAddress {
    /// What to give a client.
    func url(isSecure: Bool) -> String {
        if case .unix = self { return description }
        return "\(isSecure ? "https" : "http")://\(description)"
    }

    /// Whether the system chooses the port, so that the same address may be given more than once.
    var takesAnyPort: Bool {
        switch self {
        case .ipv4(_, let port), .ipv6(_, let port): port == 0
        case .unix: false
        }
    }
}
