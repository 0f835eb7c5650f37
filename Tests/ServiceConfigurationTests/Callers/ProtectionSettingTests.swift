import HTTPClient
import HTTPServer
import Testing

@testable import ServiceConfiguration

/// Limits, proxies and outgoing requests in a configuration file.
@Suite struct ProtectionSettingTests {
    private static let rate = "expected requests per second from 0.001 to 1000000, or 0"
    private static let proxy = "expected http://[USER:PASSWORD@]HOST[:PORT], or the path of a file that holds that"
    private static let range = "expected an address or a range such as 10.0.0.0/8 or 2001:db8::/32"

    @Test(arguments: [
        ("limits: {address_rate: 0.0009}", "1:10: limits.address_rate: \"0.0009\" is under 0.001; \(rate)"),
        ("limits: {failure_rate: 1000001}", "1:10: limits.failure_rate: \"1000001\" is over 1000000; \(rate)"),
        (
            "limits: {principal_rate: -1}",
            "1:10: limits.principal_rate: \"-1\" is not made of digits with at most one dot between them; \(rate)"
        ),
        ("limits: {principal_rate: 01}", "1:10: limits.principal_rate: \"01\" begins with a 0; \(rate)"),
        ("limits: {principal_rate: '1'}", "1:10: limits.principal_rate: \"1\" is in quotes; \(rate)"),
        (
            "limits: {address_burst: 0}",
            "1:10: limits.address_burst: \"0\" is under 1; expected a whole number from 1 to 1000000"
        ),
        (
            "limits: {max_entries: 1023}",
            "1:10: limits.max_entries: \"1023\" is under 1024; expected a whole number from 1024 to 16777216"
        ),
        (
            "proxies: {header: x-real-ip}",
            "1:11: proxies.header: \"x-real-ip\" is unknown; expected one of x-forwarded-for, forwarded"
        ),
        (
            "audit: {output: kafka}",
            "1:9: audit.output: \"kafka\" is unknown; expected one of none, file, stdout, syslog, journald"
        ),
        (
            "outgoing: {ca_file: ''}",
            "1:12: outgoing.ca_file: \"\" is empty; expected the path of a file of CA certificates (PEM)"
        ),
        (
            "outgoing: {proxy: 'https://user:canary@proxy.test:1'}",
            "1:12: outgoing.proxy: is not a proxy; \(proxy)"
        ),
        ("outgoing: {proxy: 'user:canary@proxy'}", "1:12: outgoing.proxy: is not a path; \(proxy)"),
        (
            "outgoing: {no_proxy: 'a b'}",
            "1:12: outgoing.no_proxy: \"a b\" names no hosts; expected *, a host, .DOMAIN or an address, each with or "
                + "without :PORT, or ADDRESS/BITS"
        ),
        (
            "api_keys: {header: 'X Key'}",
            "1:12: api_keys.header: \"X Key\" is not the name of a header; expected the name of an HTTP header"
        ),
        ("api_keys: {file: ''}", "1:12: api_keys.file: \"\" is empty; expected the path of a file of API keys"),
    ])
    func `an invalid value is refused at its position`(yaml: String, sentence: String) {
        #expect(refusal(of: yaml, environment: withCredentials) == "token-provider.yaml:\(sentence)")
    }

    @Test func `each invalid address range is refused at its position`() {
        let sentences = refusal(of: "proxies: {trusted: [10.0.0.0/33, proxy, 10.0.0.1]}", environment: withCredentials)
            .split(separator: "\n")
        #expect(sentences.count == 2)
        #expect(sentences.first?.hasPrefix("token-provider.yaml:1:21: proxies.trusted: \"10.0.0.0/33\" ") == true)
        #expect(sentences.last?.hasPrefix("token-provider.yaml:1:34: proxies.trusted: \"proxy\" ") == true)
        #expect(sentences.allSatisfy { $0.hasSuffix("; \(Self.range)") })
    }

    @Test(arguments: [("0", 0), ("0.001", 0.001), ("1000000", 1_000_000), ("0.5", 0.5)])
    func `a rate is zero or within the limiter's range`(text: String, rate: Double) throws {
        let environment = withCredentials.merging(["TOKEN_PROVIDER_LIMITS_ADDRESS_RATE": text]) { $1 }
        #expect(try resolve(environment: environment).configuration.limits.addressRate == rate)
    }

    @Test func `protection settings can come from the environment, lists with commas`() throws {
        let environment = withCredentials.merging([
            "TOKEN_PROVIDER_PROXIES_TRUSTED": "10.0.0.0/8, 2001:db8::/32", "TOKEN_PROVIDER_PROXIES_HEADER": "forwarded",
            "TOKEN_PROVIDER_PROXIES_PROXY_PROTOCOL": "192.0.2.1", "TOKEN_PROVIDER_AUDIT_OUTPUT": "syslog",
        ]) { $1 }
        let configuration = try resolve(environment: environment).configuration
        #expect(configuration.proxies.trusted == [try AddressRange("10.0.0.0/8"), try AddressRange("2001:db8::/32")])
        #expect(configuration.proxies.header == .forwarded)
        #expect(configuration.proxies.proxyProtocol == [try AddressRange("192.0.2.1")])
        #expect(configuration.audit.output == .syslog)
    }

    @Test func `variables name a proxy unless the setting does, lower case first`() throws {
        func read(_ yaml: String, _ variables: [String: String]) throws -> (Configuration.Outgoing, [String]) {
            let document = ConfigurationDocument(name: "token-provider.yaml", bytes: Array(yaml.utf8))
            let (configuration, warnings) = try Configuration.read(
                document, flags: ConfigurationFlags(), environment: withCredentials.merging(variables) { $1 }
            ).configuration()
            return (configuration.outgoing, warnings.filter { $0.contains("NO_PROXY") })
        }
        func outgoing(_ yaml: String, _ variables: [String: String]) throws -> Configuration.Outgoing {
            try read(yaml, variables).0
        }
        let both = ["HTTPS_PROXY": "http://b.test:2", "NO_PROXY": ".c.test,x y.test 10.0.0.0/8,*.d e:8080,a b!"]
        let (named, warnings) = try read("outgoing: {no_proxy: [d.test]}", both)
        #expect(
            warnings == [
                "environment NO_PROXY: \"b!\" names no hosts and is ignored; expected *, a host, .DOMAIN or an address, each "
                    + "with or without :PORT, or ADDRESS/BITS"
            ])
        #expect(named.proxy == OutgoingProxy("b.test:2").map { .url($0) })
        #expect(
            named.noProxy
                == ["d.test", "c.test", "x", "y.test", "10.0.0.0/8", ".d", "e:8080", "a"].compactMap(
                    ProxyException.init))
        let lower = try outgoing("", both.merging(["https_proxy": "a.test:1", "no_proxy": "*"]) { $1 })
        #expect(
            lower.proxy == OutgoingProxy("http://a.test:1").map { .url($0) }
                && lower.noProxy == ["*"].compactMap(ProxyException.init))
        #expect(try outgoing("", both.merging(["https_proxy": ""]) { $1 }).proxy == named.proxy)
        #expect(try outgoing("", ["HTTP_PROXY": "b.test:2", "NO_PROXY": "*"]) == Configuration.Outgoing())
        let own = try outgoing("outgoing: {proxy: secrets/proxy}", both)
        #expect(own.proxy == .file("secrets/proxy") && own.noProxy.isEmpty)
        #expect(try read("outgoing: {proxy: secrets/proxy}", both).1 == [])
    }

    @Test func `relative paths start in the configuration file's folder`() throws {
        let yaml = """
            api_keys: {file: keys/api}
            rules: [{name: a, kinds: driver, ids: {vehicleID: any}}]
            audit: {output: file, file: trail}
            outgoing: {ca_file: /etc/ca.pem}
            """
        let document = ConfigurationDocument(name: "etc/token-provider.yaml", bytes: Array(yaml.utf8))
        let configuration = try Configuration.read(
            document, flags: ConfigurationFlags(), environment: onlyCredentials
        ).configuration().configuration
        #expect(configuration.apiKeys.file == "etc/keys/api")
        #expect(configuration.audit.file == "etc/trail")
        #expect(configuration.outgoing.caFile == "/etc/ca.pem")
    }
}
