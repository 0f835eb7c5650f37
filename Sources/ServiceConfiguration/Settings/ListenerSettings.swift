extension SettingsTable {
    /// Where apps connect, besides `tls.listen`.
    package static let listening: [any ConfigurationSetting] = [
        Setting(
            "listen", \.listen, .list(of: .listenAddress, allowsNone: true),
            "The addresses for plain HTTP. The default is reachable from this machine only. Port 0 means any free port. "
                + "Quote an IPv6 address: \"[::]:8080\", which is for IPv6 alone. []: none, if tls.listen or listeners "
                + "have addresses."
        ).atStart,
        Setting(
            "listeners", \.listeners,
            .records(
                "a list of listeners, each with address and optionally tls, client_certificates, serves and h2c",
                example: ListenerRecord.example, ListenerRecord.read),
            "More listeners, each with its own settings. tls: true or false (the default). client_certificates: as "
                + "tls.client_certificates, by default none. serves: public (the default) or admin. h2c: by default as "
                + "http2.prior_knowledge."
        ).atStart,
    ]

    /// Where operators connect.
    package static let admin: [any ConfigurationSetting] = [
        Setting(
            "admin.listen", \.admin.listen, .list(of: .listenAddress, allowsNone: true),
            "The addresses for operators: /healthz, /readyz, /metrics, /version, /.well-known/jwks.json and /reload. "
                + "Callers are not authenticated here, so use this machine or a private network. []: none."
        ).atStart,
        Setting(
            "admin.allowed_hosts", \.admin.allowedHosts, .list(of: .domain, allowsNone: true),
            "Names in Host, besides addresses and localhost."
        ).atStart,
        Setting(
            "admin.console", \.admin.hasConsole, .one(.boolean),
            "Whether browsers get the console at /, which never gives a token."
        ).atStart,
    ]
}
