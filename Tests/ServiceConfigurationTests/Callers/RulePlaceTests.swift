import Testing

@testable import ServiceConfiguration

/// Errors of rules together with other settings: each at the line of its rule, and all of them at once.
@Suite struct RulePlaceTests {
    private static let issuer = "{issuer: 'https://id.example.com', audiences: a, algorithms: RS256, keys: k}"

    private func refusal(_ yaml: String) -> String {
        ServiceConfigurationTests.refusal(of: yaml, environment: servingEveryKind)
            .replacing("token-provider.yaml:", with: "")
    }

    @Test func `errors of valid rules are reported beside errors of other rules`() {
        let yaml = """
            issuers: [\(Self.issuer)]
            rules:
              - {name: one, kinds: server, issuers: "https://id.example.com/"}
              - name: one
                kinds: [driver]
                ids: {vehicleID: any}
              - name: two
                kinds: [consumer]
                ids: {tripID: any, vehicleID: any}
              - name: three
                kinds: [server]
                certificates: ["dns:a"]
              - {name: four, kinds: server, api_keys: k}
              - {name: five, kinds: server, forward_auth: true}
            """
        #expect(
            refusal(yaml) == """
                3:32: rules[0].issuers: the rule one names the issuer "https://id.example.com/", which is not in issuers; \
                did you mean "https://id.example.com", without the last slash?
                4:5: rules[1].name: the rule name "one" is repeated; it was first given on line 3; expected a different \
                name for each rule
                9:5: rules[2].ids: the rule two lists vehicleID, but consumer tokens have no vehicleID; expected tripID
                12:5: rules[3].certificates: the rule three names a certificate, but no client certificate can be \
                verified; expected tls.client_ca_file
                13:33: rules[4].api_keys: the rule four names API keys, but no file of API keys is configured; expected \
                api_keys.file
                14:33: rules[5].forward_auth: the rule five asks a back end, but none is configured; expected \
                forward_auth.url
                """)
    }

    @Test(arguments: [
        ("https://id.example.com/", #"did you mean "https://id.example.com", without the last slash?"#),
        ("https://id.exampel.com", #"did you mean "https://id.example.com"?"#),
        ("https://HD.example.com", #"did you mean "https://id.example.com"?"#),
        ("https://other.example.org", #"expected one of "https://id.example.com""#),
    ])
    func `an unknown issuer names the issuer that may be meant`(issuer: String, advice: String) {
        let yaml = "issuers: [\(Self.issuer)]\nrules: [{name: a, kinds: server, issuers: '\(issuer)'}]"
        #expect(
            refusal(yaml)
                == "2:34: rules[0].issuers: the rule a names the issuer \"\(issuer)\", which is not in issuers; \(advice)"
        )
    }

    @Test func `a long issuer is shown whole, because its end may differ`() {
        let long = "https://id.example.com/" + String(repeating: "x", count: 80)
        let yaml = "issuers: [{issuer: '\(long)/', audiences: a, algorithms: RS256, keys: k}]\n"
        #expect(
            refusal("\(yaml)rules: [{name: a, kinds: server, issuers: '\(long)'}]").hasSuffix(
                "the issuer \"\(long)\", which is not in issuers; did you mean \"\(long)/\", with the last slash?"))
    }

    @Test(arguments: [
        // The wrong issuer is the one that the rule names.
        ("issuers: [{issuer: b, audiences: a, algorithms: RS257, keys: k}]", "1:37: issuers[0].algorithms: "),
        ("issuers: [{audiences: a, algorithms: RS256, keys: k}]", "1:11: issuers[0]: issuer is missing; "),
        ("issuers: b", "1:1: issuers: is not a list; "),
    ])
    func `a rule for an issuer with errors causes no follow-up error`(issuers: String, beginning: String) {
        let found = refusal("\(issuers)\nrules: [{name: a, kinds: server, issuers: b}]")
        #expect(found.hasPrefix(beginning))
        #expect(found.split(separator: "\n").count == 1, "\(found)")
    }

    @Test(arguments: [
        (
            "api_keys: {file: k}\nrules: [{name: a, kinds: server, claims: [{claim: c, equals: 1}]}]",
            "2:9: rules[0]: the rule a needs claims, but only tokens of issuers have claims; expected issuers"
        ),
        (
            "api_keys: {file: k}\nrules: [{name: a, kinds: driver, ids: {vehicleID: {claim: c}}}]",
            "2:9: rules[0]: the rule a needs claims, but only tokens of issuers have claims; expected issuers"
        ),
        (
            "forward_auth: {url: 'https://a.example'}\nrules: [{name: a, kinds: server}]",
            "2:9: rules[0]: the rule a is for authenticated callers, but only forward_auth authenticates any; expected "
                + "forward_auth: true, or issuers, api_keys.file or tls.client_ca_file"
        ),
        (
            "forward_auth: {url: 'https://a.example'}\nrules: [{name: a, kinds: server, api_keys: k}]",
            "2:34: rules[0].api_keys: the rule a names API keys, but no file of API keys is configured; expected "
                + "api_keys.file"
        ),
    ])
    func `a rule that can never apply is an error`(yaml: String, sentence: String) {
        #expect(refusal(yaml) == sentence)
    }

    @Test func `a certificate rule needs a listener that asks for certificates`() {
        let rules = "rules: [{name: a, kinds: driver, certificates: 'dns:a', ids: {vehicleID: any}}]"
        #expect(
            refusal("tls: {client_ca_file: ca}\n\(rules)")
                == "2:34: rules[0].certificates: the rule a names a certificate, but no listener asks clients for one; "
                + "expected tls.client_certificates")
        // A socket of a service manager may replace the listener.
        #expect(refusal("tls: {client_ca_file: ca, client_certificates: required}\n\(rules)") == "accepted")
    }

    @Test(arguments: [
        ("", "server", "server, which is not served; kinds.server.credentials turns it on"),
        ("kinds: {enabled: consumer}", "driver", "driver, which is not served; kinds.enabled turns it on"),
    ])
    func `a rule whose kinds are all not served is an error`(kinds: String, kind: String, ending: String) {
        let rule = "{name: a, kinds: \(kind)\(kind == "driver" ? ", ids: {vehicleID: any}" : "")}"
        let found = ServiceConfigurationTests.refusal(
            of: "\(kinds)\napi_keys: {file: k}\nrules: [\(rule)]", environment: onlyCredentials)
        #expect(found == "token-provider.yaml:3:19: rules[0].kinds: the rule a names the kind \(ending)")
    }

    @Test func `an index counts elements with errors`() {
        let yaml = """
            api_keys: {file: k}
            rules:
              - {name: one, kinds: nothing}
              - {name: two, kinds: server, certificates: 'dns:a'}
            """
        #expect(
            refusal(yaml).split(separator: "\n").map { $0.prefix(28) } == [
                "3:17: rules[0].kinds: \"nothi", "4:32: rules[1].certificates:",
            ])
    }
}
