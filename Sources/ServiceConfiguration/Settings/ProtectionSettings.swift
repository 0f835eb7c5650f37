import CallerAccess
import HTTPClient

extension SettingsTable {
    private static let rates = ScalarForm<Double>.rate
    private static let bursts: ScalarForm<Int> = .whole(RateLimit.bursts)

    /// Limits of callers, proxies, the audit log, and requests to other services.
    static let protection: [any ConfigurationSetting] =
        limits + proxies + audit + [
            Setting(
                "outgoing.ca_file", \.outgoing.caFile,
                .optional(.path("the path of a file of CA certificates (PEM)"), example: "/etc/ssl/company-ca.pem"),
                "The authorities that are trusted for issuers and the back end, instead of the system's."),
            Setting(
                "outgoing.proxy", \.outgoing.proxy, .optional(.proxy, example: "http://proxy.example.com:3128"),
                "The proxy to other hosts over https, by CONNECT. Default: HTTPS_PROXY, except for what NO_PROXY names."
            ),
            Setting(
                "outgoing.no_proxy", \.outgoing.noProxy, .list(of: .proxyException, allowsNone: true),
                "Hosts that are reached without it, with all below them. Loopback and plain http always are."),
        ]

    private static let memorySizes = 1 << 20...1 << 40

    private static let limits: [any ConfigurationSetting] = [
        Setting(
            "limits.address_rate", \.limits.addressRate, .one(rates),
            "Requests of one client address (IPv6: one /64) per second. 0: no limit. Beyond it only callers with a limit of "
                + "their own are served. Peers on this machine are not limited unless proxies.trusted names them, because "
                + "one of them may be a proxy for many clients."
        ),
        Setting(
            "limits.address_burst", \.limits.addressBurst, .one(bursts),
            "Requests of one address at once after a pause."),
        Setting(
            "limits.principal_rate", \.limits.principalRate, .one(rates),
            "Requests of one principal (the token's sub, or an API key) per second. 0: no limit."),
        Setting(
            "limits.principal_burst", \.limits.principalBurst, .one(bursts),
            "Requests of one principal at once after a pause."),
        Setting(
            "limits.failure_rate", \.limits.failureRate, .one(rates),
            "Wrong API keys of one address, and refusals of one principal, per second. 0: no limit. Valid keys and tokens "
                + "are served whatever fails at their address."),
        Setting(
            "limits.failure_burst", \.limits.failureBurst, .one(bursts), "Such failures at once after a pause."
        ),
        Setting(
            "limits.max_entries", \.limits.maxEntries, .one(.whole(1024...1 << 24)),
            "Addresses or principals in each of three tables, 16 bytes each. Entries with a full burst left are dropped "
                + "first."),
        Setting(
            "limits.memory", \.limits.memory,
            .optional(.size(16 * memorySizes.lowerBound...memorySizes.upperBound), example: "128MiB"),
            "Memory for clients. Default: half of what there is, or what caches leave, at most 4GiB."),
        Setting(
            "limits.memory_per_address", \.limits.memoryPerAddress, .optional(.size(memorySizes), example: "8MiB"),
            "For one address, once half is used, then less. Default: a sixteenth."),
    ]

    private static let proxies: [any ConfigurationSetting] = [
        Setting(
            "proxies.trusted", \.proxies.trusted, .list(of: .addressRange, allowsNone: true),
            "The addresses of trusted proxies. The client's address is then the last one in their header that is not a "
                + "trusted proxy's. The header of other peers is ignored."),
        Setting(
            "proxies.header", \.proxies.header, .one(.word),
            "The header in which trusted proxies name the client: x-forwarded-for, or forwarded (RFC 7239)."),
        Setting(
            "proxies.unix_sockets", \.proxies.unixSockets, .one(.boolean),
            "Whether peers on unix sockets are trusted proxies."),
        Setting(
            "proxies.proxy_protocol", \.proxies.proxyProtocol, .list(of: .addressRange, allowsNone: true),
            "Peers that begin each connection with the PROXY protocol, version 1 or 2, such as load balancers."),
    ]

    private static let audit: [any ConfigurationSetting] = [
        Setting(
            "audit.output", \.audit.output, .one(.word),
            "Where the audit log goes. It has a record of each token and each refusal. No token is sent before its record "
                + "is written; in a file, it is on stable storage."
        ).atStart,
        Setting(
            "audit.file", \.audit.file,
            .optional(.path("the path of a file"), example: "/var/lib/token-provider/audit"),
            "The file for output: file. To begin a new one, rename it; send SIGHUP."
        ).atStart,
        Setting(
            "audit.reused", \.audit.reused, .one(.boolean),
            "Whether the reuse of a cached token is recorded too."),
        Setting(
            "audit.checkpoints", \.audit.checkpoints,
            .optional(.checkpoints, example: "https://archive.example.com/checkpoints"),
            "Where the last line's number and hash go, every 1000 lines or 10s. Without it: the log."
        ).atStart,
    ]
}

extension ScalarForm where Value == Configuration.Outgoing.Proxy {
    /// A proxy, whose password errors must not show, or the path of the file that holds it.
    static var proxy: Self {
        ScalarForm("\(OutgoingProxy.expectation), or the path of a file that holds that") {
            (text) throws(ValueProblem) in
            guard text.text.contains("://") else { return .file(try ScalarForm<String>.secretPath.read(text)) }
            guard let proxy = OutgoingProxy(text.text) else { throw ValueProblem("is not a proxy", hidingText: true) }
            return .url(proxy)
        }
    }
}

extension ScalarForm where Value == ProxyException {
    static var proxyException: Self {
        ScalarForm(ProxyException.expectation) { (text) throws(ValueProblem) in
            guard let exception = ProxyException(text.text) else { throw ValueProblem("names no hosts") }
            return exception
        }
    }
}
