@testable import HTTPClient
import Testing

@testable import ServiceConfiguration

@Suite struct ForwardAuthSettingTests {
    private static let rule = "rules: [{name: riders, kinds: [consumer], forward_auth: true}]"
    /// Credentials without caller settings.
    private static let environment = namingProxy
    private static let url = "https://b.example/allowed"

    private func refusal(_ settings: String, rule: String = rule) -> String {
        ServiceConfigurationTests.refusal(of: "\(settings)\n\(rule)\n", environment: Self.environment)
    }

    @Test func `with only a URL the other settings have defaults`() throws {
        let (configuration, warnings) = try resolve(
            "forward_auth: {url: \"\(Self.url)\"}\n\(Self.rule)\naudit: {output: stdout}",
            environment: Self.environment)
        var expected = Configuration.ForwardAuth()
        expected.url = try OutgoingURL(Self.url)
        #expect(configuration.forwardAuth == expected)
        #expect(warnings.isEmpty)
        #expect(expected.timeout == .seconds(1))
        #expect(expected.cacheTime == .seconds(10))
        #expect(configuration.rules.map(\.asksBackEnd) == [true])
    }

    @Test func `a missing back end is an error, an unused one a warning`() throws {
        #expect(
            refusal("api_keys: {file: keys}").contains(
                "the rule riders asks a back end, but none is configured; expected forward_auth.url"))
        let (_, warnings) = try resolve(
            "forward_auth: {url: \"\(Self.url)\"}\napi_keys: {file: keys}\n"
                + "rules: [{name: r, kinds: [consumer], ids: {tripID: any}}]\naudit: {output: stdout}",
            environment: Self.environment)
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("no rule has forward_auth: true, so the back end is never asked") == true)
    }

    @Test func `a back end together with callers none is refused`() {
        #expect(
            refusal("callers: none\nforward_auth: {url: \"\(Self.url)\"}").contains(
                "none means that callers are not authenticated"))
    }

    @Test(arguments: [
        ("headers: [Authorization]", "the back end always gets authorization; expected other headers"),
        ("headers: [X-Request-ID]", "the back end always gets x-request-id; expected other headers"),
        ("method: GET, headers: [x-forwarded-for]", "the back end always gets x-forwarded-for; expected"),
        ("method: GET, headers: [X-Forwarded-User]", "the back end always gets x-forwarded-user; expected"),
        ("headers: [Content-Length]", "the header content-length is set automatically; expected another header"),
        ("headers: [Host]", "the header host is set automatically; expected another header"),
        ("headers: [Cookie, cookie]", "cookie is repeated; expected each header once"),
        ("headers: [\"a b\"]", "is not the name of a header"),
        ("timeout: 0s", "is under 10ms"), ("timeout: 2m", "is over 1m"),
        ("max_connections: 0", "is under 1"), ("max_connections: 257", "is over 256"),
        ("cache_time: 2h", "is over 1h"), ("cache_bytes: 1KiB", "is under 1MiB"),
        ("caches: 1", "unknown key"),
    ])
    func `an invalid setting is refused`(setting: String, sentence: String) {
        #expect(refusal("forward_auth: {url: \"\(Self.url)\", \(setting)}").contains(sentence))
    }

    @Test(arguments: ["http://b.example/secret", "https://user:secret@b.example/", "ftp://secret", "secret"])
    func `an invalid URL is refused without being shown`(url: String) {
        let sentence = refusal("forward_auth: {url: \"\(url)\"}")
        #expect(sentence.contains("forward_auth.url"))
        #expect(sentence.contains(OutgoingURL.expectation))
        #expect(!sentence.contains("secret"))
    }

    @Test func `a rule may refer wildcard kinds to the back end without ids`() throws {
        let (configuration, _) = try resolve(
            "forward_auth: {url: \"\(Self.url)\"}\nrules: [{name: r, kinds: [server, consumer], forward_auth: true}]",
            environment: Self.environment)
        #expect(configuration.rules.first?.kinds == [.server, .consumer])
    }

    @Test func `a rule without the back end still needs ids`() {
        let rule = "rules: [{name: r, kinds: [consumer], forward_auth: false}]"
        #expect(refusal("forward_auth: {url: \"\(Self.url)\"}", rule: rule).contains("expected tripID in ids"))
    }
}
