import Testing

@testable import ServiceConfiguration

@Suite struct SettingsTableTests {
    @Test func `every setting has its own key, environment name and reason`() {
        let settings = SettingsTable.all
        #expect(Set(settings.map(\.path)).count == settings.count)
        #expect(Set(settings.map(\.environmentName)).count == settings.count)
        #expect(!settings.map(\.environmentName).contains(EnvironmentNames.configurationFile))
        // The kinds have the same six reasons.
        #expect(Set(settings.map(\.reason)).count == settings.count - 9 * 9)
        #expect(settings.allSatisfy { $0.reason.hasSuffix(".") && !$0.expectation.isEmpty })
    }

    @Test func `a setting's environment name is its key in capitals`() {
        let names = SettingsTable.all.map { "\($0.path) \($0.environmentName)" }
        #expect(names.contains("token.client_margin TOKEN_PROVIDER_TOKEN_CLIENT_MARGIN"))
        #expect(names.contains("kinds.consumer.credentials TOKEN_PROVIDER_KINDS_CONSUMER_CREDENTIALS"))
    }

    @Test func `every default is accepted unchanged by its own setting`() throws {
        for setting in SettingsTable.all {
            guard let text = setting.defaultText else {
                #expect(setting.example?.isEmpty == false, "\(setting.path) has neither default nor example")
                continue
            }
            let isMany = setting.isList && text.hasPrefix("[")
            let parts = isMany ? text.dropFirst().dropLast().split(separator: ", ").map(String.init) : [text]
            let origin = SettingOrigin.whole
            let texts = parts.map { SettingText(text: $0, isQuoted: false, origin: origin, folder: "") }
            var values = Configuration()
            try setting.apply(SettingInput(origin: origin, texts: texts, isList: setting.isList), to: &values)
            #expect(values == Configuration(), "\(setting.path)")
        }
    }

    @Test func `every setting writes its own value`() throws {
        let others = [
            "listen": "127.0.0.1:1", "tls.listen": "127.0.0.1:1", "tls.client_certificates": "optional",
            "tls.client_names": "subject", "http.unix_socket_mode": "0600", "admin.listen": "127.0.0.1:2",
            "admin.allowed_hosts": "e.example", "admin.console": "false",
            "callers": "none", "delegates": "a@b", "credentials_allowed_hosts": "c", "signing.quota_share": "0.25",
            "google.iam_credentials": "https://a.example", "google.keys": "https://b.example",
            "google.fleet_engine": "https://c.example", "google.universe_domain": "d.example",
            "google.keys_interval": "1s",
            "allow_default_service_accounts": "true", "token.lifetime": "11m", "token.backdate": "1s",
            "token.client_margin": "1s", "cache.reuse_fraction": "0.25",
            "cache.max_bytes": "1MiB", "answer.expiration": "relative", "log.level": "error", "log.format": "json",
            "log.access": "false", "log.ids": "plain", "http.header_timeout": "1s", "http.idle_timeout": "1s",
            "http.write_timeout": "1s", "http.drain_timeout": "1s", "http.loops": "77",
            "limits.max_entries": "2048", "limits.memory": "16MiB", "limits.memory_per_address": "1MiB",
            "proxies.trusted": "10.0.0.0/8", "proxies.header": "forwarded",
            "proxies.unix_sockets": "true", "proxies.proxy_protocol": "10.0.0.0/8", "audit.output": "file",
            "audit.reused": "false", "forward_auth.url": "https://a.example", "forward_auth.timeout": "2s",
            "http2.enabled": "false", "http2.prior_knowledge": "true", "forward_auth.max_connections": "7",
            "forward_auth.cache_time": "1s", "forward_auth.cache_bytes": "1MiB", "reload.watch": "1s",
            "signing.batch": "off", "http.share_ports": "true", "request.take_ids": "false", "pkcs11.pin": "/pin",
            "sandbox": "off", "signing.process": "separate", "forward_auth.method": "GET", "forward_auth.body": "opa",
            "outgoing.proxy": "http://a.example:1", "outgoing.no_proxy": "a.example",
            "request.path_prefix": "/a",
        ]
        let ofEveryKind = [
            "sign_as": "a@b.example", "lifetime": "11m", "backdate": "1s", "client_margin": "1s", "enabled": "driver",
            "allowed_origins": "https://a.example", "max_age": "1s", "key": "pkcs11:token=t;object=o",
            "email": "b@c.example",
        ]
        var seen: [Configuration] = [Configuration()]
        for setting in SettingsTable.all {
            let text =
                others[setting.path] ?? ofEveryKind[setting.path.split(separator: ".").last.map(String.init) ?? ""]
                ?? "777"
            var values = Configuration()
            try setting.apply(try setting.isOfRecords ? example(of: setting) : input(text), to: &values)
            #expect(!seen.contains(values), "\(setting.path)")
            seen.append(values)
        }
    }

    private func input(_ text: String) -> SettingInput {
        let text = SettingText(text: text, isQuoted: false, origin: .whole, folder: "")
        return SettingInput(origin: .whole, texts: [text], isList: false)
    }

    /// The example of a setting that is a list of mappings.
    private func example(of setting: any ConfigurationSetting) throws -> SettingInput {
        let lines = try #require(setting.example)
        let keys = setting.path.split(separator: ".").map(String.init)
        let indented = lines.split(separator: "\n").map { String(repeating: " ", count: keys.count) + $0 }
        let yaml = keys.enumerated().map { String(repeating: " ", count: $0) + $1 + ":" } + indented
        return try #require(
            ConfigurationDocument(name: "example", bytes: Array(yaml.joined(separator: "\n").utf8)).inputs[setting.path]
        )
    }

    @Test func `the general defaults are as documented`() throws {
        let (configuration, warnings) = try resolve(environment: withCredentials)
        #expect(warnings.isEmpty)
        #expect(configuration.listen.map(\.description) == ["127.0.0.1:8080"])
        #expect(Configuration().callers == nil)
        #expect(configuration.issuers.isEmpty && configuration.rules.isEmpty)
        #expect(configuration.apiKeys == Configuration.APIKeys(file: nil, header: nil))
        #expect(configuration.credentials == "/keys/google.json")
        #expect(configuration.keyFile(of: .consumer) == "/keys/google.json")
        #expect(configuration.keyFile(of: .driver) == "/keys/google.json")
        #expect(!configuration.allowDefaultServiceAccounts)
        #expect(configuration.token.audience == "https://fleetengine.googleapis.com/")
        #expect(configuration.token.lifetime == 3600)
        #expect(configuration.token.backdate == 300)
        #expect(configuration.token.clientMargin == 60)
        #expect(configuration.cache == Configuration.Cache(reuseFraction: 0.5, maxBytes: 67_108_864))
        #expect(configuration.answer.tripTokenKey == "TRIP_TOKEN_KEY")
        #expect(configuration.answer.vehicleTokenKey == "VEHICLE_TOKEN_KEY")
        #expect(configuration.answer.expirationKey == "TOKEN_EXPIRATION")
        #expect(configuration.answer.expiration == .absolute)
        #expect(configuration.request.ignoredParameters.isEmpty)
        #expect(configuration.log.level == .info)
        #expect(configuration.log.format == .text)
        #expect(configuration.log.access)
        #expect(configuration.log.accessSample == 1)
        #expect(configuration.log.ids == .digest)
    }

    @Test func `the defaults of limits, proxies and audit are as documented`() throws {
        let configuration = try resolve(environment: withCredentials).configuration
        let limits = configuration.limits
        #expect((limits.addressRate, limits.addressBurst) == (50, 200))
        #expect((limits.principalRate, limits.principalBurst) == (10, 100))
        #expect((limits.failureRate, limits.failureBurst) == (0.5, 20))
        #expect(limits.maxEntries == 1_048_576)
        let proxies = configuration.proxies
        #expect(proxies.trusted.isEmpty && proxies.proxyProtocol.isEmpty && !proxies.unixSockets)
        #expect(proxies.header == .xForwardedFor)
        #expect(configuration.audit == Configuration.Audit(output: .none, file: nil, reused: true))
        #expect(configuration.outgoing.caFile == nil)
    }

    @Test func `the defaults of the HTTP server are as documented`() throws {
        let http = try resolve(environment: withCredentials).configuration.http
        #expect(http.loops == 0)
        #expect(http.maxConnections == 16384)
        #expect(http.maxConnectionsPerAddress == 2048)
        #expect(http.headerTimeout == .seconds(10))
        #expect(http.idleTimeout == .seconds(75))
        #expect(http.writeTimeout == .seconds(30))
        #expect(http.drainTimeout == .seconds(8))
        #expect(http.limits.maxLine == 16384)
        #expect(http.limits.maxHead == 32768)
        #expect(http.limits.maxFields == 100)
        #expect(http.limits.maxDiscardedBody == 16384)
    }
}
