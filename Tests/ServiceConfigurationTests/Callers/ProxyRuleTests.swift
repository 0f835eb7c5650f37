import Testing

/// Warnings about a reverse proxy on this machine that is not configured.
@Suite struct ProxyRuleTests {
    private static let callers = "api_keys: {file: keys}\nrules: [{name: a, kinds: driver, ids: {vehicleID: any}}]\n"

    private func warnings(_ yaml: String, callers: String = callers) throws -> [String] {
        let warnings = try resolve(callers + yaml, environment: onlyCredentials).warnings
        return warnings.filter { $0.contains("no proxy is named") }
    }

    private func warning(_ address: String, _ expected: String) -> String {
        "no proxy is named at \"\(address)\": peers on this machine have no address limit. Neither have the "
            + "clients of a reverse proxy there; expected \(expected)"
    }

    @Test(arguments: [
        ("", "127.0.0.1:8080", "127.0.0.1 in proxies.trusted or proxies.proxy_protocol"),
        ("listen: '[::1]:8080'", "[::1]:8080", "::1 in proxies.trusted or proxies.proxy_protocol"),
        ("listen: unix:/run/a", "unix:/run/a", "proxies.unix_sockets: true"),
        (
            "listen: 127.0.0.1:8080\nproxies: {trusted: 10.0.0.0/8, unix_sockets: true}", "127.0.0.1:8080",
            "127.0.0.1 in proxies.trusted or proxies.proxy_protocol"
        ),
        (
            "listen: ['127.0.0.1:8080', 'unix:/run/a']\nproxies: {trusted: 127.0.0.1}", "unix:/run/a",
            "proxies.unix_sockets: true"
        ),
        (
            "limits: {address_rate: 0}", "127.0.0.1:8080", "127.0.0.1 in proxies.trusted or proxies.proxy_protocol"
        ),
    ])
    func `a local listener without a matching proxy setting gives a warning`(
        yaml: String, address: String, expected: String
    ) throws {
        let found = try warnings(yaml)
        #expect(found.count == 1)
        #expect(found.first?.hasSuffix(warning(address, expected)) == true, "\(found)")
    }

    @Test(arguments: [("0.0.0.0:8080", "127.0.0.1"), ("[::]:8080", "::1")])
    func `a wildcard address without any named proxy gives a warning`(address: String, peer: String) throws {
        let found = try warnings("listen: '\(address)'")
        #expect(found.count == 1)
        #expect(
            found.first?.hasSuffix(
                "no proxy is named at \"\(address)\": peers on this machine have no address limit. Neither have the "
                    + "clients of a reverse proxy here; expected \(peer) in proxies.trusted or proxies.proxy_protocol, if "
                    + "there is one") == true, "\(found)")
        for proxies in ["trusted: '\(peer)'", "proxy_protocol: 192.0.2.1"] {
            #expect(try warnings("listen: '\(address)'\nproxies: {\(proxies)}") == [])
        }
    }

    @Test(arguments: [
        "proxies: {trusted: 127.0.0.1}", "proxies: {trusted: 127.0.0.0/8}", "proxies: {proxy_protocol: 127.0.0.1}",
        "listen: 192.0.2.1:8080", "listen: 0.0.0.0:8080\nproxies: {trusted: 10.0.0.0/8}",
        "listen: unix:/run/a\nproxies: {unix_sockets: true}",
        "limits: {address_rate: 0, failure_rate: 0}", "listen: '[::1]:8080'\nproxies: {trusted: '::1'}",
    ])
    func `a named proxy, external listener or no limit gives no warning`(yaml: String) throws {
        #expect(try warnings(yaml) == [])
    }

    @Test func `without authentication no proxy warning is given`() throws {
        #expect(try warnings("", callers: "callers: none\n") == [])
    }
}
