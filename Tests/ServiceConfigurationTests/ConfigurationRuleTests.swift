import Testing

@testable import ServiceConfiguration

@Suite struct ConfigurationRuleTests {
    @Test(arguments: [
        (
            "http: {max_line: 2KiB, max_header_size: 1KiB}",
            "1:8: http.max_line (2KiB) is over http.max_header_size (1KiB); expected at most that"
        ),
        (
            "answer: {expiration_key: TRIP_TOKEN_KEY}",
            "1:10: answer.expiration_key is also the name of a token; expected a name of its own"
        ),
        (
            "answer: {vehicle_token_key: TOKEN_EXPIRATION}",
            "1:10: answer.expiration_key is also the name of a token; expected a name of its own"
        ),
        (
            "answer: {trip_token_key: detail}",
            "1:10: answer.trip_token_key: \"detail\" is also a member of error answers: apps that ignore the "
                + "status would take an error for a token; expected a name of its own"
        ),
        (
            "token: {lifetime: 6m}",
            "1:9: token.backdate (5m) and token.client_margin (1m) leave nothing of token.lifetime (6m); "
                + "expected a smaller sum"
        ),
        (
            "token: {client_margin: 55m}",
            "1:9: token.backdate (5m) and token.client_margin (55m) leave nothing of token.lifetime "
                + "(1h); expected a smaller sum"
        ),
        (
            "cache: {reuse_fraction: 0.95}",
            "1:9: cache.reuse_fraction (0.95) of token.lifetime (1h) is more than the 55m that "
                + "token.backdate leaves of a new token, so no token would be reused; expected a smaller fraction or a "
                + "longer lifetime"
        ),
        (
            "cache: {reuse_fraction: 0.01}",
            "1:9: cache.reuse_fraction (0.01) of token.lifetime (1h) is less than "
                + "token.client_margin (1m), so clients would get tokens that have expired for them; expected a "
                + "larger fraction or a smaller margin"
        ),
        (
            "kinds: {driver: {lifetime: 6m}}",
            "1:18: token.backdate (5m) and token.client_margin (1m) leave nothing of "
                + "kinds.driver.lifetime (6m); expected a smaller sum"
        ),
        (
            "kinds: {task_batch: {client_margin: 40m}}",
            "1:22: cache.reuse_fraction (0.5) of token.lifetime (1h) is less than "
                + "kinds.task_batch.client_margin (40m), so clients would get tokens that have expired for them; "
                + "expected a larger fraction or a smaller margin"
        ),
        (
            "kinds: {enabled: [driver, driver]}",
            "1:9: kinds.enabled: \"driver\" is repeated; expected each kind once"
        ),
        (
            "listen: [127.0.0.1:1, localhost:1]",
            "1:1: listen: \"127.0.0.1:1\" is repeated; expected each address once"
        ),
        ("listen: ['unix:a', 'unix:a']", "1:1: listen: \"unix:a\" is repeated; expected each address once"),
    ])
    func `contradictory values are refused`(yaml: String, sentence: String) {
        #expect(refusal(of: yaml, environment: withCredentials) == "token-provider.yaml:\(sentence)")
    }

    @Test(arguments: ["127.0.0.1:8080", "unix:/run/x", "[::]:8080"])
    func `without caller settings the configuration is refused on any address`(address: String) {
        let sentence = """
            nothing says who may call: token-provider does not start without that; expected issuers, api_keys.file, \
            tls.client_ca_file or forward_auth.url, \
            with rules, or --callers none (in the file, callers: none), which gives a token to every client that can reach \
            it
            """
        #expect(refusal(of: "listen: '\(address)'", environment: onlyCredentials) == sentence)
        #expect(refusal(flags: ConfigurationFlags(listen: [address]), environment: onlyCredentials) == sentence)
    }

    @Test(arguments: ["0.0.0.0:8080", "[::]:8080"])
    func `callers none is enough for external addresses`(address: String) {
        let flags = ConfigurationFlags(listen: [address], callers: "none")
        #expect(refusal(flags: flags, environment: onlyCredentials) == "accepted")
    }

    @Test(arguments: [
        "listen: [127.0.0.1:0, 127.0.0.1:0]", "cache: {reuse_fraction: 0.9}", "cache: {reuse_fraction: 0.017}",
        "cache: {reuse_fraction: 0}\ntoken: {client_margin: 0s}",
        "answer: {vehicle_token_key: TRIP_TOKEN_KEY}", "token: {lifetime: 15m}", "token: {lifetime: 660s}",
        "token: {lifetime: 1s, backdate: 0s, client_margin: 0s}\ncache: {reuse_fraction: 1}",
        "http: {max_line: 1KiB, max_header_size: 1KiB}",
    ])
    func `values just within the limits are accepted`(yaml: String) {
        #expect(refusal(of: yaml, environment: withCredentials) == "accepted")
    }

    @Test func `without credentials, they are searched for`() throws {
        let none = ["TOKEN_PROVIDER_CALLERS": "none"]
        let searched = try Configuration.load(file: nil, flags: ConfigurationFlags(), environment: none).configuration
        #expect(searched.keyFile(of: .consumer) == Configuration.applicationDefault)
        #expect(searched.keyFile(of: .server) == nil)
        let own = none.merging(["TOKEN_PROVIDER_KINDS_DRIVER_CREDENTIALS": "/d.json"]) { $1 }
        let driver = try Configuration.load(file: nil, flags: ConfigurationFlags(), environment: own).configuration
        #expect(driver.keyFile(of: .driver) == "/d.json")
        #expect(driver.keyFile(of: .consumer) == nil)
    }

    @Test func `invalid credentials are not also reported as missing`() {
        #expect(
            refusal(of: "credentials: ''")
                == "token-provider.yaml:1:1: credentials: is empty; expected the path of a credentials file, or application_default"
        )
    }

    @Test func `a lifetime below eleven minutes is accepted with a warning`() throws {
        let yaml = "token: {lifetime: 659s}\ncache: {reuse_fraction: 0.1}"
        let warnings = try resolve(yaml, environment: withCredentials).warnings
        #expect(
            warnings == [
                "token-provider.yaml:1:9: token.lifetime: 659s is short: Google's Android samples subtract 10 minutes "
                    + "and would fetch a token for every call; expected 660s or more"
            ])
        let longer = "token: {lifetime: 660s}\ncache: {reuse_fraction: 0.1}"
        #expect(try resolve(longer, environment: withCredentials).warnings.isEmpty)
    }

    @Test func `unauthenticated access from other machines is accepted with a warning`() throws {
        let yaml = "listen: [127.0.0.1:1, 0.0.0.0:1]\ncallers: none"
        #expect(
            try resolve(yaml, environment: onlyCredentials).warnings == [
                "token-provider.yaml:2:1: callers: \"none\" gives a token to every client that can reach \"0.0.0.0:1\"; "
                    + "expected issuers, api_keys.file, tls.client_ca_file or forward_auth.url",
                "token-provider.yaml:1:1: listen: plain HTTP on \"0.0.0.0:1\": tokens are sent unencrypted; "
                    + "expected tls.listen, or a proxy in front (proxies.trusted)",
            ])
    }

    @Test(arguments: ["trusted: [127.0.0.1]", "proxy_protocol: [127.0.0.1]"])
    func `unauthenticated access behind a proxy on this machine gives a warning`(proxies: String) throws {
        let yaml = "callers: none\nproxies: {\(proxies)}"
        #expect(
            try resolve(yaml, environment: onlyCredentials).warnings.first
                == "token-provider.yaml:1:1: callers: \"none\" gives a token to every client that can reach the proxies; "
                + "expected issuers, api_keys.file, tls.client_ca_file or forward_auth.url")
    }

    @Test func `another audience is accepted with a warning`() throws {
        let environment = withCredentials.merging(
            ["TOKEN_PROVIDER_TOKEN_AUDIENCE": "https://fleetengine.googleapis.com"]
        ) { $1 }
        #expect(
            try resolve(environment: environment).warnings == [
                "environment TOKEN_PROVIDER_TOKEN_AUDIENCE: this is not the audience that Fleet Engine expects; "
                    + "expected \"https://fleetengine.googleapis.com/\", with the last slash"
            ])
    }
}
