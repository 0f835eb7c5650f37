import Glibc
import HTTPServer
import SystemFiles

extension ConfigurationRule {
    /// The keys of the addresses for apps.
    package static let publicKeys = ["listen", "tls.listen", "listeners"]

    /// The binding rules about addresses.
    static let listenerRules = [listenedSomewhere, listenedOnce, apart] + besideAudit

    /// Settings that are allowed but unwise.
    static let listenerAdvice = [openToAll] + openAdmin + tokensInClear + replaceableSockets

    private static let listenedSomewhere = ConfigurationRule(keys: publicKeys) { values in
        guard values.listeners(serving: .public).isEmpty else { return nil }
        return "apps have no address to connect to; expected one in listen, tls.listen or listeners"
    }

    private static let listenedOnce = ConfigurationRule(keys: publicKeys) { values in
        repeated(values.fixedAddresses(serving: .public))
    }

    /// Apps and operators never share an address.
    private static let apart = ConfigurationRule(keys: ["admin.listen"] + publicKeys) { values in
        let taken = values.fixedAddresses(serving: .public)
        let own = values.fixedAddresses(serving: .admin)
        let shared = own.first { address in taken.contains(where: address.isSame) }
        guard let shared else { return repeated(own) }
        return "\"\(shared)\" is also an address for apps; expected another address"
    }

    private static func repeated(_ addresses: [SocketAddress]) -> String? {
        addresses.enumerated().first { addresses[..<$0.offset].contains(where: $0.element.isSame) }.map {
            "\"\($0.element)\" is repeated; expected each address once"
        }
    }

    /// A socket and the audit log never share a path.
    private static let besideAudit = Configuration.ListeningKey.allCases.map { key in
        ConfigurationRule(keys: [key.rawValue, "audit.file", "audit.checkpoints"]) { values in
            var written = [values.audit.file].compactMap(\.self)
            if case .file(let path) = values.audit.checkpoints { written.append(path) }
            let sockets = values.listeners(of: key).compactMap(\.address.socketFile)
            let shared = sockets.first { socket in written.contains { RealPath.leadToSame($0, socket) } }
            return shared.map { "\"unix:\($0)\" is also a file of the audit log; expected another path" }
        }
    }

    private static let openToAll = ConfigurationRule(
        keys: ["callers", "proxies.trusted", "proxies.proxy_protocol"] + publicKeys
    ) { values in
        guard values.callers == .unauthenticated else { return nil }
        let isProxied = !values.proxies.trusted.isEmpty || !values.proxies.proxyProtocol.isEmpty
        guard let reached = values.openListeners(serving: .public) ?? (isProxied ? "the proxies" : nil) else {
            return nil
        }
        return "\"none\" gives a token to every client that can reach \(reached); expected issuers, api_keys.file, "
            + "tls.client_ca_file or forward_auth.url"
    }

    /// A listener that requires a certificate is not open.
    private static let openAdmin = advice(on: .admin, at: [.admin, .list]) {
        $0.clients != .required
    } telling: { _, open in
        "every client that can reach \(open) sees metrics and can reload; expected a loopback address, or required "
            + "client certificates"
    }

    /// Clients can bypass a proxy in front.
    private static let tokensInClear = advice(
        on: .public, at: [.plain, .list], beside: ["proxies.trusted", "proxies.proxy_protocol"]
    ) {
        !$0.isSecure
    } telling: { values, open in
        guard values.proxies.trusted.isEmpty, values.proxies.proxyProtocol.isEmpty else {
            return "plain HTTP on \(open): tokens are sent unencrypted to clients that bypass the proxies; expected an "
                + "address that only the proxies can reach"
        }
        return "plain HTTP on \(open): tokens are sent unencrypted; expected tls.listen, or a proxy in front "
            + "(proxies.trusted)"
    }

    /// Clients send their credentials to the process that listens at the path. Root may check for another user, who owns the
    /// folder.
    private static let replaceableSockets = Configuration.ListeningKey.allCases.map { key in
        ConfigurationRule(keys: [key.rawValue]) { values in
            for path in values.listeners(of: key).compactMap(\.address.socketFile) {
                let breach = FileTrust.breach(
                    ofFolder: RealPath.folder(of: path), for: geteuid() == 0 ? nil : geteuid(),
                    consequence: "get what clients send")
                if let breach { return "\"unix:\(path)\" \(breach)" }
            }
            return nil
        }
    }

    /// A warning about the open listeners of a service, at the first of these keys that has one.
    private static func advice(
        on service: Configuration.Listener.Service, at keys: [Configuration.ListeningKey], beside others: [String] = [],
        where isMeant: @escaping @Sendable (Configuration.Listener) -> Bool,
        telling sentence: @escaping @Sendable (Configuration, String) -> String
    ) -> [ConfigurationRule] {
        keys.map { key in
            let names = [key] + keys.filter { $0 != key }
            return ConfigurationRule(keys: names.map(\.rawValue) + others) { values in
                let guilty = keys.first {
                    values.listeners(of: $0).contains { $0.isOpen(serving: service) && isMeant($0) }
                }
                guard guilty == key else { return nil }
                return values.openListeners(serving: service, where: isMeant).map { sentence(values, $0) }
            }
        }
    }
}

extension SocketAddress {
    /// Whether both are one address, however the path of a socket is written.
    fileprivate func isSame(_ other: SocketAddress) -> Bool {
        guard let path = socketFile, let second = other.socketFile else { return self == other }
        return RealPath.leadToSame(path, second)
    }
}

extension Configuration.Listener {
    /// Whether other machines can reach this service here.
    fileprivate func isOpen(serving service: Service) -> Bool { self.service == service && !address.isLoopback }
}

extension Configuration {
    /// The addresses that can be used only once.
    fileprivate func fixedAddresses(serving service: Configuration.Listener.Service) -> [SocketAddress] {
        listeners(serving: service).map(\.address).filter { !$0.takesAnyPort }
    }

    /// The quoted addresses of the listeners of this kind that other machines can reach; nil if there is none.
    fileprivate func openListeners(
        serving service: Configuration.Listener.Service,
        where isMeant: (Configuration.Listener) -> Bool = { _ in true }
    ) -> String? {
        let open = listeners(serving: service).filter { $0.isOpen(serving: service) && isMeant($0) }
        return open.isEmpty ? nil : open.map { "\"\($0.address)\"" }.joined(separator: ", ")
    }
}
