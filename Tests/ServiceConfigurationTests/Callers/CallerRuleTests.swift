import Testing

@testable import ServiceConfiguration

/// Combinations of caller settings.
@Suite struct CallerRuleTests {
    private static let issuer = "{issuer: b, audiences: a, algorithms: RS256, keys: k}"
    private static let recorded = "audit: {output: stdout}"
    private static let drivers = "rules: [{name: a, kinds: driver, ids: {vehicleID: any}}]"
    private static let rule = "{name: a, kinds: server, issuers: b}"

    @Test(arguments: [
        (
            "callers: none\nissuers: [\(issuer)]\nrules: [\(rule)]",
            "1:1: callers: none means that callers are not authenticated, but "
        ),
        (
            "callers: none\napi_keys: {file: keys}\nrules: [{name: a, kinds: server}]",
            "1:1: callers: none means that callers are not authenticated, but "
        ),
        (
            "issuers: [\(issuer), \(issuer)]\nrules: [\(rule)]",
            "1:67: issuers[1].issuer: the issuer \"b\" is repeated; it was first given on line 1; expected each issuer once"
        ),
        (
            "issuers: [\(issuer)]\nrules: [\(rule), \(rule)]",
            "2:48: rules[1].name: the rule name \"a\" is repeated; it was first given on line 2; expected a different name"
        ),
        (
            "issuers: [\(issuer)]\nrules: [{name: a, kinds: server, issuers: [b, B]}]",
            "2:34: rules[0].issuers: the rule a names the issuer \"B\", which is not in issuers; did you mean \"b\"?"
        ),
        (
            "api_keys: {file: keys}\nrules: [\(rule)]",
            "2:34: rules[0].issuers: the rule a names the issuer \"b\", which is not in issuers; expected it in issuers"
        ),
        (
            "api_keys: {file: k, header: X-Request-ID}\nrules: [{name: a, kinds: server}]",
            "1:21: api_keys.header: x-request-id has another meaning and cannot carry a key; expected a header "
                + "of its own, such as X-API-Key"
        ),
        (
            "api_keys: {file: keys, header: Authorization}\nrules: [{name: a, kinds: server}]",
            "1:24: api_keys.header: Authorization is always read; expected another header, or no api_keys.header"
        ),
        (
            "api_keys: {file: keys, header: AUTHORIZATION}\nrules: [{name: a, kinds: server}]",
            "1:24: api_keys.header: Authorization is always read; expected another header, or no api_keys.header"
        ),
        (
            "issuers: [{issuer: b, audiences: a, algorithms: RS256, keys: k, header: Cookie}]\nrules: [\(rule)]",
            "1:65: issuers[0].header: cookie has another meaning and cannot carry a token alone; expected a header of its "
                + "own, such as X-Goog-IAP-JWT-Assertion"
        ),
        (
            "issuers: [{issuer: b, audiences: a, algorithms: RS256, keys: k, header: X-Key}]\n"
                + "api_keys: {file: k, header: x-key}\nrules: [\(rule)]",
            "1:65: issuers[0].header: x-key has another meaning and cannot carry a token alone; "
        ),
        (
            "issuers: [{issuer: b, audiences: a, algorithms: RS256, keys: k, header: Authorization}]\nrules: [\(rule)]",
            "1:65: issuers[0].header: authorization has another meaning and cannot carry a token alone; "
        ),
        (
            "callers: none\naudit: {output: file}",
            "2:9: audit.output: audit.output is file, but no file is named; expected audit.file"
        ),
        (
            "callers: none\naudit: {output: stdout, file: trail}",
            "2:25: audit.file: audit.file is set, but audit.output is stdout; expected audit.output: file, or no audit.file"
        ),
        (
            "callers: none\naudit: {file: trail}",
            "2:9: audit.file: audit.file is set, but audit.output is none; expected audit.output: file, or no audit.file"
        ),
    ])
    func `contradictory settings are refused`(yaml: String, sentence: String) {
        let sentences = refusal(of: yaml, environment: servingEveryKind)
        #expect(sentences.hasPrefix("token-provider.yaml:\(sentence)"))
        #expect(!sentences.contains("\n"))
        #expect(sentences.contains("expected") || sentences.contains("did you mean"))
    }

    @Test(arguments: [
        "Host", "content-length", "Connection", "Transfer-Encoding", "TE", "Upgrade", "Cookie", "Sec-WebSocket-Key",
        "traceparent", "X-Forwarded-For",
    ])
    func `a header with another meaning cannot carry an API key`(field: String) {
        let yaml = "api_keys: {file: k, header: \(field)}\nrules: [{name: a, kinds: server}]"
        #expect(
            refusal(of: yaml, environment: servingEveryKind).contains(
                "api_keys.header: \(field.lowercased()) has another meaning and cannot carry a key"))
    }

    @Test(arguments: [
        (
            "api_keys: {file: keys}\n\(recorded)",
            "1:12: api_keys.file: no caller gets a token, because rules is empty; expected rules"
        ),
        (
            "issuers: [\(issuer)]\n\(recorded)",
            "1:1: issuers: no caller gets a token, because rules is empty; expected rules"
        ),
        (
            "api_keys: {file: keys}\nrules: [{name: a, kinds: [driver, server], ids: {vehicleID: any}}]\n\(recorded)",
            "2:19: rules[0].kinds: the rule a names the kind server, which is not served; kinds.server.credentials turns it on"
        ),
        (
            "issuers: [\(issuer)]\n\(drivers)",
            "1:1: no audit log is configured; expected audit.output"
        ),
        (
            "api_keys: {file: keys}\n\(drivers)\naudit: {output: none}",
            "3:9: no audit log is configured; expected audit.output"
        ),
    ])
    func `unlikely but harmless settings give a warning`(yaml: String, warning: String) throws {
        #expect(try resolve(yaml, environment: namingProxy).warnings == ["token-provider.yaml:\(warning)"])
    }

    @Test func `rules beside unauthenticated callers give a warning`() throws {
        let yaml = "listen: unix:a.sock\ncallers: none\nrules: [{name: a, kinds: driver, ids: {vehicleID: any}}]"
        let effect =
            "the rules have no effect, because callers is none; expected no rules, or callers that are authenticated"
        #expect(
            try resolve(yaml, environment: onlyCredentials).warnings == ["token-provider.yaml:3:1: rules: \(effect)"])
    }

    @Test(arguments: [
        "issuers: [\(issuer)]\nrules: [\(rule)]", "api_keys: {file: keys}\nrules: [{name: a, kinds: server}]",
        "issuers: [\(issuer)]\napi_keys: {file: keys, header: X-API-Key}\nrules: [\(rule)]",
        "callers: none\naudit: {output: file, file: trail}", "callers: none\naudit: {output: journald}",
    ])
    func `consistent settings are accepted on every address`(yaml: String) throws {
        let flags = ConfigurationFlags(listen: ["0.0.0.0:8080"])
        #expect(refusal(of: yaml, flags: flags, environment: servingEveryKind) == "accepted")
    }

    @Test func `commands that only use keys need no caller settings`() throws {
        func load(_ rules: [ConfigurationRule]) throws -> Configuration {
            try Configuration.load(file: nil, flags: ConfigurationFlags(), environment: onlyCredentials, rules: rules)
                .configuration
        }
        #expect(try load(ConfigurationRule.ofKeys).credentials == "/keys/google.json")
        let errors = try #require(throws: ConfigurationErrors.self) { try load(ConfigurationRule.binding) }
        #expect(errors.sentences.map { $0.prefix(28) } == ["nothing says who may call: t"])
    }
}
