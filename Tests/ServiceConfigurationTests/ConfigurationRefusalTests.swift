import StrictYAML
import Testing

@testable import ServiceConfiguration

@Suite struct ConfigurationRefusalTests {
    /// A file and all its errors, without the file's name.
    struct Refused: CustomTestStringConvertible, Sendable {
        let yaml: String
        let sentences: String

        init(_ yaml: String, _ sentences: String) {
            (self.yaml, self.sentences) = (yaml, sentences)
        }

        var testDescription: String { QuotedText(yaml).description }
    }

    @Test(arguments: [
        Refused("tokens: {}", "1:1: tokens: unknown key; did you mean \"token\"?"),
        Refused("token:\n  lifetme: 1h", "2:3: token.lifetme: unknown key; did you mean \"token.lifetime\"?"),
        Refused("lifetime: 1h", "1:1: lifetime: unknown key; did you mean \"token.lifetime\"?"),
        Refused("token.lifetime: 1h", "1:1: token.lifetime: unknown key; write it as \"lifetime\" below \"token\""),
        Refused(
            "cache: {zzz: 1}", "1:9: cache.zzz: unknown key; expected one of reuse_fraction, max_bytes"),
        Refused(
            "kinds: {rider: {}}",
            "1:9: kinds.rider: unknown key; expected one of enabled, consumer, driver, "
                + "untrusted_delivery_driver, trusted_delivery_driver, delivery_consumer, task_batch, server, "
                + "delivery_server, delivery_fleet_reader, fleet_reader"),
        Refused(
            "\"a\\nb\": 1",
            "1:1: a\\u{A}b: unknown key; expected one of listen, listeners, credentials, sign_as, delegates, "
                + "credentials_allowed_hosts, google, signing, pkcs11, allow_default_service_accounts, sandbox, reload, "
                + "tls, admin, callers, issuers, api_keys, forward_auth, rules, token, kinds, cache, answer, cors, "
                + "limits, proxies, audit, outgoing, request, http, http2, log"
        ),
        Refused("cache:", "1:1: cache: has no value; expected keys below it: reuse_fraction, max_bytes"),
        Refused(
            "cache: 5",
            "1:1: cache: is not a mapping; expected keys below it: reuse_fraction, max_bytes"),
        Refused("- listen", "1:1: the file is not a mapping; expected lines of \"key: value\""),
        Refused("listen", "1:1: the file is not a mapping; expected lines of \"key: value\""),
        Refused(
            "log:\n  level:",
            "2:3: log.level: has no value; expected one of trace, debug, info, notice, warning, error, critical"),
        Refused("log:\n  access: {a: 1}", "2:3: log.access: is a mapping; expected true or false"),
        Refused("log:\n  access: [true]", "2:3: log.access: is a list; expected true or false"),
        Refused("log:\n  access: yes", "2:3: log.access: \"yes\" is not a boolean; expected true or false"),
        Refused("log:\n  access: True", "2:3: log.access: \"True\" is not a boolean; expected true or false"),
        Refused("log:\n  access: 'true'", "2:3: log.access: \"true\" is in quotes; expected true or false"),
        Refused(
            "log: {access_sample: 0}",
            "1:7: log.access_sample: \"0\" is under 1; expected a whole number from 1 to 1000000"),
        Refused(
            "credentials: fa\u{308}hre.json",
            "1:1: credentials: is not in Unicode's Normalization Form C; expected that form, in names of files too"),
        Refused("log: {ids: hash}", "1:7: log.ids: \"hash\" is unknown; expected one of digest, plain"),
        Refused("log: {format: xml}", "1:7: log.format: \"xml\" is unknown; expected one of text, json"),
        Refused(
            "answer: {expiration: never}",
            "1:10: answer.expiration: \"never\" is unknown; expected one of absolute, relative"),
        Refused("callers: all", "1:1: callers: \"all\" is unknown; expected none"),
        Refused("token:\n  lifetime: 2h", "2:3: token.lifetime: \"2h\" is over 1h; expected a duration from 1s to 1h"),
        Refused("token:\n  lifetime: 0s", "2:3: token.lifetime: \"0s\" is under 1s; expected a duration from 1s to 1h"),
        Refused(
            "token:\n  lifetime: 900",
            "2:3: token.lifetime: \"900\" has no unit (ms, s, m or h); expected a duration from 1s to 1h"),
        Refused(
            "token:\n  lifetime: 1500ms",
            "2:3: token.lifetime: \"1500ms\" is not a whole number of seconds; expected a duration from 1s to 1h"),
        Refused(
            "token:\n  backdate: 11m", "2:3: token.backdate: \"11m\" is over 10m; expected a duration from 0s to 10m"),
        Refused("token:\n  audience: ''", "2:3: token.audience: \"\" is empty; expected the audience of Fleet Engine"),
        Refused(
            "cache: {reuse_fraction: 1.5}",
            "1:9: cache.reuse_fraction: \"1.5\" is over 1; expected a number from 0 to 1"),
        Refused(
            "cache: {reuse_fraction: '0.5'}",
            "1:9: cache.reuse_fraction: \"0.5\" is in quotes; expected a number from 0 to 1"),
        Refused(
            "cache: {reuse_fraction: half}",
            "1:9: cache.reuse_fraction: \"half\" is not made of digits with at most one dot between them; expected a "
                + "number from 0 to 1"),
        Refused(
            "cache: {max_bytes: 64MB}",
            "1:9: cache.max_bytes: \"64MB\" is not a size in bytes, KiB, MiB or GiB; expected a size from 1MiB to 1024GiB"
        ),
        Refused(
            "cache: {max_bytes: 65536\u{212A}iB}",
            "1:9: cache.max_bytes: \"65536\u{212A}iB\" is not a size in bytes, KiB, MiB or GiB; expected a size from 1MiB to "
                + "1024GiB"
        ),
        Refused(
            "cache: {max_bytes: 1000}",
            "1:9: cache.max_bytes: \"1000\" is under 1MiB; expected a size from 1MiB to 1024GiB"),
        Refused(
            "http: {max_headers: ten}",
            "1:8: http.max_headers: \"ten\" is not made of digits only; expected a whole number from 1 to 1000"),
        Refused(
            "http: {header_timeout: 5ms}",
            "1:8: http.header_timeout: \"5ms\" is under 10ms; expected a duration from 10ms to 1h"),
        Refused(
            "answer: {trip_token_key: \"a\\nb\"}",
            "1:10: answer.trip_token_key: \"a\\u{A}b\" has a control character; expected a JSON name"),
        Refused(
            "listen:\n  - 127.0.0.1:1\n  - nowhere\n  - ~\n  - [a]",
            """
            4:5: listen: has an empty element; expected ADDR:PORT, [IPV6]:PORT, localhost:PORT or unix:PATH, or a list of them
            5:5: listen: has a nested element; expected ADDR:PORT, [IPV6]:PORT, localhost:PORT or unix:PATH, or a list of them
            """),
        Refused(
            "listen:\n  - nowhere\n  - a.example:1",
            """
            2:5: listen: "nowhere" has no port; expected ADDR:PORT, [IPV6]:PORT, localhost:PORT or unix:PATH
            3:5: listen: "a.example:1" does not begin with an IPv4 address (host names are not looked up); expected ADDR:PORT, [IPV6]:PORT, localhost:PORT or unix:PATH
            """),
        Refused(
            "listen: []",
            "1:1: listen: apps have no address to connect to; expected one in listen, tls.listen or listeners"),
        Refused(
            "request: {ignored_parameters: [key, trip_ID]}",
            "1:37: request.ignored_parameters: \"trip_ID\" is a parameter that token-provider uses; expected the name of a query parameter that token-provider does not use"
        ),
        Refused("log: {level: info}\nlog: {}", "2:1: the key \"log\" is repeated; it was first given on line 1"),
        Refused("log: &a {level: info}", "1:6: an anchor (&name) is not allowed; expected the value alone"),
        Refused(
            "log: {",
            "2:1: this is not valid YAML: did not find expected node content while parsing a flow node (line 2)"),
    ])
    func `an invalid file is refused with line, column, key and expectation`(refused: Refused) {
        let expected = refused.sentences.split(separator: "\n").map { "token-provider.yaml:\($0)" }
        #expect(refusal(of: refused.yaml, environment: withCredentials) == expected.joined(separator: "\n"))
    }

    @Test func `all errors of file, environment and flags are reported at once`() {
        let yaml = "listn: 1\nlog: {level: 5}\ntoken:\n  lifetime: 2h\n  lifetime: 1h\n  backdate: 10"
        let environment = [
            "TOKEN_PROVIDER_LOG_LEVLE": "info", "TOKEN_PROVIDER_HTTP_LOOPS": "many", "TOKEN_PROVIDER_ZZZ": "1",
        ]
        let flags = ConfigurationFlags(listen: ["here", "there"], callers: "some")
        #expect(
            refusal(of: yaml, flags: flags, environment: environment) == """
                token-provider.yaml:1:1: listn: unknown key; did you mean "listen"?
                token-provider.yaml:2:7: log.level: "5" is unknown; expected one of trace, debug, info, notice, warning, error, critical
                token-provider.yaml:4:3: token.lifetime: "2h" is over 1h; expected a duration from 1s to 1h
                token-provider.yaml:5:3: the key "lifetime" is repeated; it was first given on line 4
                token-provider.yaml:6:3: token.backdate: "10" has no unit (ms, s, m or h); expected a duration from 0s to 10m
                environment TOKEN_PROVIDER_HTTP_LOOPS: "many" is not made of digits only; expected a whole number from 0 to 128
                environment TOKEN_PROVIDER_LOG_LEVLE: is not a setting; did you mean TOKEN_PROVIDER_LOG_LEVEL?
                environment TOKEN_PROVIDER_ZZZ: is not a setting; expected TOKEN_PROVIDER_ and a key, such as TOKEN_PROVIDER_LOG_LEVEL for log.level
                --callers: "some" is unknown; expected none
                --listen: "here" has no port; expected ADDR:PORT, [IPV6]:PORT, localhost:PORT or unix:PATH
                --listen: "there" has no port; expected ADDR:PORT, [IPV6]:PORT, localhost:PORT or unix:PATH
                """)
    }

    @Test(arguments: [
        (
            "TOKEN_PROVIDER_LOG_LEVEL", "",
            "\"\" is unknown; expected one of trace, debug, info, notice, warning, error, critical"
        ),
        ("TOKEN_PROVIDER_LOG_ACCESS", "1", "\"1\" is not a boolean; expected true or false"),
        (
            "TOKEN_PROVIDER_TOKEN_LIFETIME", "60",
            "\"60\" has no unit (ms, s, m or h); expected a duration from 1s to 1h"
        ),
        (
            "TOKEN_PROVIDER_LISTEN", "127.0.0.1:1,,127.0.0.1:2",
            "\"\" has no port; expected ADDR:PORT, [IPV6]:PORT, localhost:PORT or unix:PATH"
        ),
        (
            "TOKEN_PROVIDER_LISTEN", "",
            "apps have no address to connect to; expected one in listen, tls.listen or listeners"
        ),
        ("TOKEN_PROVIDER_CONFG", "x", "is not a setting; did you mean TOKEN_PROVIDER_CONFIG?"),
        (
            "TOKEN_PROVIDER_", "x",
            "is not a setting; expected TOKEN_PROVIDER_ and a key, such as TOKEN_PROVIDER_LOG_LEVEL for log.level"
        ),
    ])
    func `an invalid variable is refused by its name`(name: String, value: String, sentence: String) {
        let environment = withCredentials.merging([name: value]) { $1 }
        #expect(refusal(environment: environment) == "environment \(name): \(sentence)")
    }

    @Test(arguments: [
        ("{\"type\": \"service_account\", \"private_key\": \"c2VjcmV0\"}", "is the key itself, not its path"),
        ("-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----", "is the key itself, not its path"),
        ("eyJ0eXBlIjogInNlcnZpY2VfYWNjb3VudCJ9c2VjcmV0", "is the key itself, not its path"),
        ("LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tc2VjcmV0", "is the key itself, not its path"),
        ("/keys/c2VjcmV0\n.json", "has a control character"),
    ])
    func `a key pasted instead of its path never appears in errors`(secret: String, problem: String) {
        let sentences = refusal(
            environment: withoutAuthentication.merging(["TOKEN_PROVIDER_CREDENTIALS": secret]) { $1 })
        #expect(
            sentences == "environment TOKEN_PROVIDER_CREDENTIALS: \(problem); expected the path of a credentials "
                + "file, or application_default")
    }

    @Test func `a URL with a password is left out of any setting's refusal`() {
        let environment = withoutAuthentication.merging(["TOKEN_PROVIDER_LISTEN": "https://u:c2VjcmV0@proxy/"]) { $1 }
        let sentences = refusal(environment: environment)
        #expect(sentences.contains("environment TOKEN_PROVIDER_LISTEN: "))
        #expect(!sentences.contains("c2VjcmV0"))
    }

    @Test func `a key file given as configuration never appears in errors`() {
        let key = "{\"type\": \"service_account\", \"private_key\": \"c2VjcmV0\", \"log\": \"c2VjcmV0\"}"
        #expect(!refusal(of: key, environment: withCredentials).contains("c2VjcmV0"))
    }

    @Test func `a truncated file causes no errors about missing settings`() {
        #expect(
            refusal(of: "log: [", environment: ["TOKEN_PROVIDER_HTTP_LOOPS": "x"]) == """
                token-provider.yaml:2:1: this is not valid YAML: did not find expected node content while parsing a flow node (line 2)
                environment TOKEN_PROVIDER_HTTP_LOOPS: "x" is not made of digits only; expected a whole number from 0 to 128
                """)
    }

    @Test(arguments: [
        "token: {lifetime: \"15m\"}", "cache: {max_bytes: \"2MiB\"}", "log: {level: 'error'}",
        "request: {ignored_parameters: [key, 'v']}", "request: {ignored_parameters: key}", "listen: ['[::1]:8080']",
        "# nothing\n", "{}", "~",
    ])
    func `a valid file is accepted`(yaml: String) {
        #expect(refusal(of: yaml, environment: withCredentials) == "accepted")
    }
}
