import Testing

/// Errors of rules: each with its position, and all of them at once.
@Suite struct RuleRecordRefusalTests {
    private static let ids = "any, a list of ids, or {claim: NAME}"
    private static let claim = "a claim's name, or a list of the names that lead to it"
    private static let literal =
        "expected true, false, an integer or a text, in quotes if YAML could read it as another type"

    private func refusal(of rules: String) -> String {
        ServiceConfigurationTests.refusal(of: "api_keys: {file: keys}\nrules:\n\(rules)", environment: servingEveryKind)
    }

    @Test(arguments: [
        ("{kinds: server}", "3:3: rules[0]: name is missing; expected the rule's name"),
        (
            "{name: a}",
            "3:3: rules[0]: kinds is missing; expected one of consumer, driver, untrusted_delivery_driver, "
                + "trusted_delivery_driver, delivery_consumer, task_batch, server, delivery_server, "
                + "delivery_fleet_reader, fleet_reader, or a list of them"
        ),
        (
            "{name: 'a b', kinds: server}",
            "3:4: rules[0].name: the rule's name is malformed; expected 1 to 64 characters of A-Z a-z 0-9 . _ -"
        ),
        (
            "{name: a, kinds: [server, admin]}",
            "3:29: rules[0].kinds: \"admin\" is unknown; expected one of consumer, driver, untrusted_delivery_driver, "
                + "trusted_delivery_driver, delivery_consumer, task_batch, server, delivery_server, "
                + "delivery_fleet_reader, fleet_reader"
        ),
        (
            "{name: a, kinds: consumer}",
            "3:13: rules[0].kinds: the rule a lists no ids for consumer tokens; expected tripID in ids"
        ),
        (
            "{name: a, kinds: server, ids: {tripID: any}}",
            "3:28: rules[0].ids: the rule a lists tripID, but server tokens have no tripID; expected no ids"
        ),
        (
            "{name: a, kinds: server, api_keys: a/b}",
            "3:3: rules[0]: the rule a has a caller with a malformed name; expected an issuer or an API key's name"
        ),
        (
            "{name: a, kinds: server, api_keys: []}",
            "3:28: rules[0].api_keys: is an empty list; expected at least one: an API key's name"
        ),
        (
            "{name: a, kinds: server, issuer: x}",
            "3:28: rules[0].issuer: unknown key; did you mean \"issuers\"?"
        ),
        ("{name: a, kinds: server, ids: any}", "3:28: rules[0].ids: is not a mapping; expected a mapping of ids"),
        (
            "{name: a, kinds: consumer, ids: {tripId: any}}",
            "3:36: rules[0].ids.tripId: unknown key; did you mean \"tripID\"?"
        ),
        (
            "{name: a, kinds: consumer, ids: {tripID: t-1}}",
            "3:36: rules[0].ids.tripID: is neither any nor a list; expected \(ids)"
        ),
        (
            "{name: a, kinds: consumer, ids: {tripID: [t-1, 'a b/c']}}",
            "3:50: rules[0].ids.tripID: \"a b/c\" is not an id: the id contains U+002F '/'; expected none of / : ? , #; expected an id"
        ),
        (
            "{name: a, kinds: consumer, ids: {tripID: []}}",
            "3:36: rules[0].ids.tripID: is an empty list; expected at least one: an id"
        ),
        (
            "{name: a, kinds: consumer, ids: {tripID: {clam: trips}}}",
            "3:45: rules[0].ids.tripID.clam: unknown key; did you mean \"claim\"?"
        ),
        (
            "{name: a, kinds: consumer, ids: {tripID: {claims: trips}}}",
            "3:45: rules[0].ids.tripID.claims: unknown key; did you mean \"claim\"?"
        ),
        (
            "{name: a, kinds: consumer, ids: {tripID: {}}}",
            "3:44: rules[0].ids.tripID: claim is missing; expected \(claim)"
        ),
        (
            "{name: a, kinds: consumer, ids: {tripID: {claim: []}}}",
            "3:45: rules[0].ids.tripID.claim: is an empty list; expected at least one: a claim's name"
        ),
        (
            "{name: a, kinds: consumer, ids: {tripID: {claim: a..b}}}",
            "3:45: rules[0].ids.tripID.claim: the path of a claim has no name or an empty one; expected names with dots "
                + "between them"
        ),
        (
            "{name: a, kinds: server, claims: {claim: c}}",
            "3:28: rules[0].claims: is not a list; expected a list of claims, each with claim and equals or contains"
        ),
        (
            "{name: a, kinds: server, claims: [c]}",
            "3:37: rules[0].claims[0]: is not a mapping; expected a list of claims, each with claim and equals or contains"
        ),
        (
            "{name: a, kinds: server, claims: [{equals: c}]}",
            "3:37: rules[0].claims[0]: claim is missing; expected \(claim)"
        ),
        (
            "{name: a, kinds: server, claims: [{claim: c}]}",
            "3:37: rules[0].claims[0]: has both or neither of equals and contains; expected exactly one of them"
        ),
        (
            "{name: a, kinds: server, claims: [{claim: c, equals: 1, contains: d}]}",
            "3:37: rules[0].claims[0]: has both or neither of equals and contains; expected exactly one of them"
        ),
        (
            "{name: a, kinds: server, claims: [{claim: c, equals: ''}]}",
            "3:37: rules[0].claims[0]: the value for a claim is malformed; expected a text that is not empty, an integer, "
                + "true or false"
        ),
        (
            "{name: a, kinds: server, claims: [{claim: c, equals: ~}]}",
            "3:48: rules[0].claims[0].equals: has no value; \(literal)"
        ),
        (
            "{name: a, kinds: consumer, api_keys: k, ids: {tripID: {claim: c}}}",
            "3:3: rules[0]: the rule a reads claims and is only for API keys or certificates, which have none; "
                + "expected listed ids and no claims, or an issuer's callers"
        ),
        (
            "{name: a, kinds: server, claims: [{claim: c, contains: [d]}]}",
            "3:48: rules[0].claims[0].contains: is a list; expected a text"
        ),
        (
            "{name: a, kinds: server, claims: [{claim: c, equal: d, contains: d}]}",
            "3:48: rules[0].claims[0].equal: unknown key; did you mean \"equals\"?"
        ),
        ("riders", "3:3: rules[0]: is not a mapping; expected a list of rules, each with name, kinds and ids"),
    ])
    func `an invalid rule is refused at its position`(rule: String, sentence: String) {
        let sentences = refusal(of: "- \(rule)").split(separator: "\n")
        #expect(sentences.first.map(String.init) == "token-provider.yaml:\(sentence)")
        #expect(sentences.count == 1)
    }

    @Test(arguments: [
        "True", "TRUE", "yes", "no", "on", "off", "3.5", "1e3", "0x10", ".inf", "9223372036854775808", "007", "+7",
        "2026-01-31", "1_000",
    ])
    func `an ambiguous YAML value for a claim must be quoted`(text: String) {
        #expect(
            refusal(of: "- {name: a, kinds: server, claims: [{claim: c, equals: \(text)}]}")
                == "token-provider.yaml:3:48: rules[0].claims[0].equals: \"\(text)\" is not in quotes, and some YAML "
                + "readers take it for another type; \(Self.literal)")
    }

    @Test func `all errors of all rules are reported at once, without follow-up errors`() {
        let rules = """
            - name: one
              kind: consumer
              ids: {tripID: t-1, vehicelID: any}
            - name: two
              kinds: [driver]
              claims: [{claim: c}, {clam: c, equals: 1}, 7]
              ids: {vehicleID: any}
            - name: three
              kinds: [admin]
            """
        #expect(
            refusal(of: rules) == """
                token-provider.yaml:4:3: rules[0].kind: unknown key; did you mean "kinds"?
                token-provider.yaml:5:9: rules[0].ids.tripID: is neither any nor a list; expected any, a list of ids, or {claim: NAME}
                token-provider.yaml:5:22: rules[0].ids.vehicelID: unknown key; did you mean "vehicleID"?
                token-provider.yaml:8:46: rules[1].claims[2]: is not a mapping; expected a list of claims, each with claim and equals or contains
                token-provider.yaml:11:11: rules[2].kinds: "admin" is unknown; expected one of consumer, driver, untrusted_delivery_driver, trusted_delivery_driver, delivery_consumer, task_batch, server, delivery_server, delivery_fleet_reader, fleet_reader
                """)
        let claims = "- {name: two, kinds: server, claims: [{claim: c}, {clam: c, equals: 1}]}"
        #expect(
            refusal(of: claims) == """
                token-provider.yaml:3:39: rules[0].claims[0]: has both or neither of equals and contains; expected exactly one of them
                token-provider.yaml:3:52: rules[0].claims[1].clam: unknown key; did you mean "claim"?
                """)
    }
}
