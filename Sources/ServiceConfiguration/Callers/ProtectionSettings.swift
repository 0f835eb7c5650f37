import CallerAccess

extension SettingsTable {
    private static let rates = ScalarForm<Double>.rate
    private static let bursts: ScalarForm<Int> = .whole(RateLimit.bursts)

    /// How callers are limited, told apart behind proxies, and recorded.
    static let protection: [any ConfigurationSetting] =
        limits + proxies + audit + [
            Setting(
                "outgoing.ca_file", \.outgoing.caFile,
                .optional(.path("the path of a file of CA certificates (PEM)"), example: "/etc/ssl/company-ca.pem"),
                "Who vouches for the servers that are asked (issuers), in place of the system's authorities.")
        ]

    private static let limits: [any ConfigurationSetting] = [
        Setting(
            "limits.address_rate", \.limits.addressRate, .one(rates),
            "Requests per second of one client address (IPv6: one /64); 0: no limit. Peers on this machine whom "
                + "proxies.trusted does not name are not held to it, since they may be proxies that many come by."),
        Setting(
            "limits.address_burst", \.limits.addressBurst, .one(bursts),
            "Requests of one address that may come at once after a pause: many phones may share one."),
        Setting(
            "limits.principal_rate", \.limits.principalRate, .one(rates),
            "Requests per second of one principal (the token's sub, an API key); 0: no limit."),
        Setting(
            "limits.principal_burst", \.limits.principalBurst, .one(bursts),
            "Requests of one principal that may come at once after a pause."),
        Setting(
            "limits.failure_rate", \.limits.failureRate, .one(rates),
            "Proofs of one address that do not hold, and refusals of one principal, per second; 0: no limit. Beyond it "
                + "nothing new is verified; callers who were verified before are still served."),
        Setting(
            "limits.failure_burst", \.limits.failureBurst, .one(bursts), "Failures that may come at once after a pause."
        ),
        Setting(
            "limits.max_entries", \.limits.maxEntries, .one(.whole(1024...1 << 24)),
            "Addresses, and principals, that are remembered in each of three tables, at 16 bytes each; those who could ask "
                + "at full burst again are forgotten first."),
    ]

    private static let proxies: [any ConfigurationSetting] = [
        Setting(
            "proxies.trusted", \.proxies.trusted, .list(of: .addressRange, allowsNone: true),
            "Where the proxies in front are. The client's address is then the last one in their field that is not a "
                + "trusted proxy's; nobody else's word for it counts."),
        Setting(
            "proxies.field", \.proxies.field, .one(.word),
            "The field in which trusted proxies name the client: x-forwarded-for, or forwarded (RFC 7239)."),
        Setting(
            "proxies.unix_sockets", \.proxies.unixSockets, .one(.boolean),
            "Whether who connects by a unix socket is a trusted proxy."),
        Setting(
            "proxies.proxy_protocol", \.proxies.proxyProtocol, .list(of: .addressRange, allowsNone: true),
            "Peers that begin each connection with the PROXY protocol, version 2, which load balancers speak."),
    ]

    private static let audit: [any ConfigurationSetting] = [
        Setting(
            "audit.output", \.audit.output, .one(.word),
            "Where a record of each token and each refusal goes. No token leaves without its record; those in a file are "
                + "on stable storage before."
        ).atStart,
        Setting(
            "audit.file", \.audit.file,
            .optional(.path("the path of a file"), example: "/var/lib/token-provider/audit"),
            "The file of records for output: file. Rename it and send SIGHUP to begin a new one."
        ).atStart,
        Setting(
            "audit.reused", \.audit.reused, .one(.boolean),
            "Whether handing out a token that is kept from an earlier request is recorded too."),
    ]
}

extension ConfigurationRule {
    /// The trail's settings must say one thing.
    static let auditFile = ConfigurationRule(keys: ["audit.file", "audit.output"]) { values in
        switch (values.audit.output, values.audit.file) {
        case (.file, nil): "audit.output is file, and no file is named; expected audit.file"
        case (.file, _), (_, nil): nil
        case (let output, _):
            "audit.file is there, but audit.output is \(output.rawValue); expected output: file, or no file"
        }
    }
}
