import Testing

/// Rules and proxies that allow or trust more callers than is likely intended.
@Suite struct OpenRuleTests {
    private static let callers =
        "api_keys: {file: keys}\nkinds: {server: {credentials: k}, fleet_reader: {credentials: k}}\n"
        + "issuers: [{issuer: b, audiences: a, algorithms: RS256, keys: k}]\n"

    private func warnings(_ yaml: String, _ words: String) throws -> [String] {
        try resolve(yaml, environment: ["TOKEN_PROVIDER_CREDENTIALS": "/keys/key.json"]).warnings
            .filter { $0.contains(words) }
    }

    @Test(arguments: [
        ("{name: a, kinds: server}", "a", "server", "9: rules[0]"),
        ("{name: a, kinds: [driver, fleet_reader], ids: {vehicleID: {claim: c}}}", "a", "fleet_reader", "9: rules[0]"),
        (
            "{name: a, kinds: server, api_keys: k}, {name: b, kinds: [fleet_reader, server]}", "b", "server",
            "48: rules[1]"
        ),
    ])
    func `a rule that allows every caller a wildcard token gives a warning`(
        rules: String, name: String, kind: String, place: String
    ) throws {
        #expect(
            try warnings("\(Self.callers)rules: [\(rules)]", "every authenticated") == [
                "token-provider.yaml:4:\(place): the rule \(name) gives tokens of the kind \(kind), which are not limited "
                    + "to ids, to every authenticated caller; expected issuers, api_keys, certificates or claims in the rule"
            ])
    }

    @Test(arguments: [
        "{name: a, kinds: server, api_keys: k}", "{name: a, kinds: server, claims: [{claim: c, equals: 1}]}",
        "{name: a, kinds: driver, ids: {vehicleID: any}}",
        "{name: a, kinds: [driver, delivery_server], ids: {vehicleID: any}}",
    ])
    func `a rule with callers or claims, or without wildcards, gives no warning`(rule: String) throws {
        #expect(try warnings("\(Self.callers)rules: [\(rule)]", "every authenticated") == [])
    }

    @Test func `no warning is given with a back end or without authentication`() throws {
        let url = "forward_auth: {url: 'https://backend.example/'}\n"
        let asking = "\(Self.callers)\(url)rules: [{name: a, kinds: server, forward_auth: true}]"
        #expect(try warnings(asking, "every authenticated") == [])
        let open = "callers: none\nkinds: {server: {credentials: k}}\nrules: [{name: a, kinds: server}]"
        #expect(try warnings(open, "every authenticated") == [])
    }

    @Test(arguments: [
        ("trusted: 0.0.0.0/0", "trusted: 0.0.0.0/0 trusts every peer"),
        ("trusted: ['10.0.0.0/8', '::/0']", "trusted: ::/0 trusts every peer"),
        ("trusted: '::ffff:0:0/96'", "trusted: 0.0.0.0/0 trusts every peer"),
        ("proxy_protocol: '::/0'", "proxy_protocol: ::/0 expects the PROXY protocol of every peer"),
    ])
    func `a proxy range that covers all addresses gives a warning`(proxies: String, beginning: String) throws {
        #expect(
            try warnings("callers: none\nproxies: {\(proxies)}", "every peer") == [
                "token-provider.yaml:2:11: proxies.\(beginning), so that clients can choose the address for limits and "
                    + "records; expected only the addresses of proxies"
            ])
    }

    @Test func `partial ranges give no warning, complete ones from the environment do`() throws {
        let some = "trusted: ['0.0.0.0/1', '::/1', '0.0.0.0', '::1'], proxy_protocol: 10.0.0.0/8"
        #expect(try warnings("callers: none\nproxies: {\(some)}", "every peer") == [])
        let environment = withCredentials.merging(["TOKEN_PROVIDER_PROXIES_TRUSTED": "0.0.0.0/0"]) { $1 }
        #expect(
            try resolve(environment: environment).warnings.filter { $0.contains("every peer") } == [
                "environment TOKEN_PROVIDER_PROXIES_TRUSTED: 0.0.0.0/0 trusts every peer, so that clients can choose the "
                    + "address for limits and records; expected only the addresses of proxies"
            ])
    }
}
