import HTTPServer

extension SettingsTable {
    /// Where apps and operators ask, beside `tls.listen` and `admin.listen`.
    package static let listening: [any ConfigurationSetting] = [
        Setting(
            "listen", \.listen, .list(of: .listenAddress, allowsNone: true),
            "Where to listen for plain HTTP. Port 0 takes any free port. Quote an IPv6 address: \"[::1]:8080\". The default "
                + "can be reached from this machine only. None: nowhere, where tls.listen or listeners say where."
        ).atStart,
        Setting(
            "listeners", \.listeners,
            .records(
                "a list of listeners, each with address, and tls, client_certificates, serves (public or admin) and "
                    + "h2c where they are not false, none, public and as http2.prior_knowledge says",
                example: ListenerRecord.example, ListenerRecord.read),
            "Further listeners, where some of them differ from others in what is demanded of clients, in what is served, or in "
                + "whether clients may speak HTTP/2 in clear (h2c)."
        ).atStart,
    ]
}

extension ConfigurationRule {
    /// The keys that say where to listen, those apart for operators alone.
    package static let publicKeys = ["listen", "tls.listen", "listeners"]

    /// Without these nobody could be served.
    static let listenerRules = [listenedSomewhere, listenedOnce, apart]

    /// What of it is allowed but unwise.
    static let listenerAdvice = [openToAll] + openAdmin + tokensInClear

    private static let listenedSomewhere = ConfigurationRule(keys: publicKeys) { values in
        guard values.listeners(serving: .public).isEmpty else { return nil }
        return "nothing is served to apps anywhere; expected an address in listen, tls.listen or listeners"
    }

    private static let listenedOnce = ConfigurationRule(keys: publicKeys) { values in
        repeated(values.fixedAddresses(serving: .public))
    }

    /// Apps and operators never meet at one address.
    private static let apart = ConfigurationRule(keys: ["admin.listen"] + publicKeys) { values in
        let taken = values.fixedAddresses(serving: .public)
        let own = values.fixedAddresses(serving: .admin)
        guard let shared = own.first(where: taken.contains) else { return repeated(own) }
        return "\"\(shared)\" is where apps ask too; expected an address of its own"
    }

    private static func repeated(_ addresses: [SocketAddress]) -> String? {
        addresses.enumerated().first { addresses[..<$0.offset].contains($0.element) }.map {
            "\"\($0.element)\" is given twice; expected every address once"
        }
    }

    private static let openToAll = ConfigurationRule(keys: ["callers"] + publicKeys) { values in
        guard values.callers == .unauthenticated, let open = values.openListeners(serving: .public) else { return nil }
        return "\"none\" gives a token to everyone who can reach \(open)"
    }

    /// Who has to show a certificate is not everyone.
    private static let openAdmin = advice(on: .admin, at: [.admin, .list]) {
        $0.clients != .required
    } telling: { _, open in
        "everyone who can reach \(open) is told how the daemon is"
    }

    /// A proxy in front keeps nobody from coming past it.
    private static let tokensInClear = advice(
        on: .public, at: [.plain, .list], beside: ["proxies.trusted", "proxies.proxy_protocol"]
    ) {
        !$0.isSecure
    } telling: { values, open in
        guard values.proxies.trusted.isEmpty, values.proxies.proxyProtocol.isEmpty else {
            return "tokens go in clear to whoever asks at \(open) past the proxies, unless a firewall keeps others "
                + "away; expected an address that the proxies alone can reach"
        }
        return "tokens go in clear to whoever asks at \(open); expected tls.listen, or a proxy in front "
            + "(proxies.trusted)"
    }

    /// What is told of the open listeners of a kind, for all of these keys at the first of them that has one.
    private static func advice(
        on service: Configuration.Listener.Service, at keys: [Configuration.ListeningKey], beside others: [String] = [],
        where isMeant: @escaping @Sendable (Configuration.Listener) -> Bool,
        telling sentence: @escaping @Sendable (ConfigurationValues, String) -> String
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

extension Configuration.Listener {
    /// Whether it serves this to more than this machine.
    fileprivate func isOpen(serving service: Service) -> Bool { self.service == service && !address.isLoopback }
}

extension ConfigurationValues {
    /// The addresses that can be taken once only.
    fileprivate func fixedAddresses(serving service: Configuration.Listener.Service) -> [SocketAddress] {
        listeners(serving: service).map(\.address).filter { !$0.takesAnyPort }
    }

    /// The addresses of the listeners of this kind that more than this machine can reach, in quotes; nil if there is none.
    fileprivate func openListeners(
        serving service: Configuration.Listener.Service,
        where isMeant: (Configuration.Listener) -> Bool = { _ in true }
    ) -> String? {
        let open = listeners(serving: service).filter { $0.isOpen(serving: service) && isMeant($0) }
        return open.isEmpty ? nil : open.map { "\"\($0.address)\"" }.joined(separator: ", ")
    }
}
