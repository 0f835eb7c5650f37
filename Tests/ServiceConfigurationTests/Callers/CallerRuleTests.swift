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
            "1:1: callers: none says that nobody is asked who they are, but "
        ),
        (
            "callers: none\napi_keys: {file: keys}\nrules: [{name: a, kinds: server}]",
            "1:1: callers: none says that nobody is asked who they are, but "
        ),
        (
            "issuers: [\(issuer), \(issuer)]\nrules: [\(rule)]",
            "1:1: issuers: the issuer \"b\" is there twice; expected each once"
        ),
        (
            "issuers: [\(issuer)]\nrules: [\(rule), \(rule)]",
            "2:1: rules: two rules have the name a; expected each name once"
        ),
        (
            "issuers: [\(issuer)]\nrules: [{name: a, kinds: server, issuers: [b, B]}]",
            "2:1: rules: the rule a is for the issuer \"B\", which is none of issuers"
        ),
        (
            "api_keys: {file: keys}\nrules: [\(rule)]",
            "2:1: rules: the rule a is for the issuer \"b\", which is none of issuers"
        ),
        (
            "api_keys: {file: k, field: X-Request-ID}\nrules: [{name: a, kinds: server}]",
            "1:21: api_keys.field: x-request-id means something else in requests and cannot carry a key; expected a field "
                + "of its own, as X-API-Key"
        ),
        (
            "api_keys: {file: keys, field: Authorization}\nrules: [{name: a, kinds: server}]",
            "1:24: api_keys.field: Authorization is read anyway; expected the name of another field, or none"
        ),
        (
            "api_keys: {file: keys, field: AUTHORIZATION}\nrules: [{name: a, kinds: server}]",
            "1:24: api_keys.field: Authorization is read anyway; expected the name of another field, or none"
        ),
        (
            "callers: none\naudit: {output: file}",
            "2:9: audit.output: audit.output is file, and no file is named; expected audit.file"
        ),
        (
            "callers: none\naudit: {output: stdout, file: trail}",
            "2:25: audit.file: audit.file is there, but audit.output is stdout; expected output: file, or no file"
        ),
        (
            "callers: none\naudit: {file: trail}",
            "2:9: audit.file: audit.file is there, but audit.output is none; expected output: file, or no file"
        ),
    ])
    func `contradictory settings are refused`(yaml: String, sentence: String) {
        let sentences = refusal(of: yaml, environment: onlyCredentials)
        #expect(sentences.hasPrefix("token-provider.yaml:\(sentence)"))
        #expect(!sentences.contains("\n"))
        #expect(sentences.contains("expected") || sentences.hasSuffix("which is none of issuers"))
    }

    @Test(arguments: [
        "Host", "content-length", "Connection", "Transfer-Encoding", "TE", "Upgrade", "Cookie", "Sec-WebSocket-Key",
        "traceparent", "X-Forwarded-For",
    ])
    func `a header with another meaning cannot carry an API key`(field: String) {
        let yaml = "api_keys: {file: k, field: \(field)}\nrules: [{name: a, kinds: server}]"
        #expect(
            refusal(of: yaml, environment: onlyCredentials).contains(
                "api_keys.field: \(field.lowercased()) means something else in requests and cannot carry a key"))
    }

    @Test(arguments: [
        ("api_keys: {file: keys}\n\(recorded)", "1:12: api_keys.file: there are no rules, so nobody gets a token"),
        ("issuers: [\(issuer)]\n\(recorded)", "1:1: issuers: there are no rules, so nobody gets a token"),
        (
            "callers: none\nrules: [{name: a, kinds: driver, ids: {vehicleID: any}}]",
            "2:1: rules: the rules decide nothing, since nobody is asked who they are"
        ),
        (
            "api_keys: {file: keys}\nrules: [{name: a, kinds: [driver, server], ids: {vehicleID: any}}]\n\(recorded)",
            "2:1: rules: the rule a names the kind server, which is not served"
        ),
        (
            "issuers: [\(issuer)]\n\(drivers)",
            "1:1: no record is kept of who gets tokens; audit.output names where"
        ),
        (
            "api_keys: {file: keys}\n\(drivers)\naudit: {output: none}",
            "3:9: no record is kept of who gets tokens; audit.output names where"
        ),
    ])
    func `unlikely but harmless settings give a warning`(yaml: String, warning: String) throws {
        #expect(try resolve(yaml, environment: namingProxy).warnings == ["token-provider.yaml:\(warning)"])
    }

    @Test(arguments: [
        "issuers: [\(issuer)]\nrules: [\(rule)]", "api_keys: {file: keys}\nrules: [{name: a, kinds: server}]",
        "issuers: [\(issuer)]\napi_keys: {file: keys, field: X-API-Key}\nrules: [\(rule)]",
        "callers: none\naudit: {output: file, file: trail}", "callers: none\naudit: {output: journald}",
    ])
    func `consistent settings are accepted on every address`(yaml: String) throws {
        let flags = ConfigurationFlags(listen: ["0.0.0.0:8080"])
        #expect(refusal(of: yaml, flags: flags, environment: onlyCredentials) == "accepted")
    }

    @Test func `commands that only use keys need no caller settings`() throws {
        func load(_ rules: [ConfigurationRule]) throws -> Configuration {
            try Configuration.load(file: nil, flags: ConfigurationFlags(), environment: onlyCredentials, rules: rules)
                .configuration
        }
        #expect(try load(ConfigurationRule.ofKeys).credentials == "/keys/google.json")
        let errors = try #require(throws: ConfigurationErrors.self) { try load(ConfigurationRule.binding) }
        #expect(errors.sentences.map { $0.prefix(28) } == ["nothing says who may call, a"])
    }
}
