import TestSupport
import Testing

@testable import CallerAccess
@testable import FleetEngineToken
@testable import TokenProvider
@testable import TokenService

/// A decision and its reason, as text and as JSON.
@Suite struct ExplanationTests {
    private let folder: Scratch
    private let key: APIKey
    private let gate: CallerGate

    init() throws {
        folder = try Scratch()
        key = try #require(APIKey(random: [UInt8](repeating: 3, count: 32)))
        let keys = try folder.write(
            "keys", Array(try APIKeyEntry(name: "dispatch", key: key, rules: ["fleet"]).line.utf8))
        let set = try folder.write("set.json", Array(try ProviderKey().set().utf8))
        let yaml = """
            issuers: [{issuer: '\(ProviderKey.issuer)', audiences: fleet, algorithms: RS256, keys: '\(set)'}]
            api_keys: {file: '\(keys)'}
            rules:
              - {name: riders, kinds: consumer, claims: [{claim: role, equals: rider}], ids: {tripID: {claim: trips}}}
              - {name: fleet, kinds: server, api_keys: dispatch}
              - {name: all, kinds: [server, fleet_reader], api_keys: dispatch}
            """
        let setup = try CallerSetup(try callerValues(yaml), logger: .silent)
        setup.start()
        gate = setup.gate
    }

    private func trip(_ id: String) throws -> PrivateClaims { .trip(try FleetEngineID(id)) }

    private func rider(_ claims: String) throws -> CallerCredentials {
        .token(try ProviderKey().token(claims: "\"sub\":\"rider \\\"7\\\"\",\(claims)"))
    }

    @Test func `an allowed request names the caller and the rule`() throws {
        let sound = try rider(#""role":"rider","trips":["t-1","t-2"]"#)
        let explanation = Explanation(try trip("t-2"), by: sound, gate)
        #expect(explanation.isAllowed)
        #expect(
            explanation.decision == """
                allowed: a token of the kind consumer
                caller:  "rider \\"7\\"" (jwt https://id.example)
                because: the rule riders allows it
                """)
        #expect(
            explanation.json.hasPrefix(
                #"{"allowed":true,"principal":"rider \"7\"","source":"jwt https://id.example","kind":"consumer","#
                    + #""rule":"riders","reason":"the rule riders allows it","checks":["#
                    + #"{"name":"issuer","met":true,"detail":"\"https://id.example\""},"#))
    }

    @Test func `a refusal explains why each rule did not apply`() throws {
        let explanation = Explanation(try trip("t-3"), by: try rider(#""role":"rider","trips":["t-1"]"#), gate)
        #expect(!explanation.isAllowed)
        let reason =
            "the rule riders does not apply: the claim trips does not contain t-3"
        #expect(
            explanation.decision == """
                refused: a token of the kind consumer
                caller:  "rider \\"7\\"" (jwt https://id.example)
                because: \(reason)
                """)
        #expect(
            explanation.json.hasPrefix(
                #"{"allowed":false,"principal":"rider \"7\"","source":"jwt https://id.example","kind":"consumer","#
                    + #""reason":"\#(reason)","checks":["#))
        #expect(
            explanation.json.hasSuffix(
                #"{"name":"rule riders","met":false,"detail":"the claim trips is [\"t-1\"], expected \"t-3\""}]}"#))
    }

    @Test func `a key restricted to one rule is refused by other rules`() {
        let credentials = CallerCredentials.apiKey(Array(key.text.utf8))
        #expect(Explanation(.server, by: credentials, gate).decision.hasSuffix("because: the rule fleet allows it"))
        #expect(
            Explanation(.fleetReader, by: credentials, gate).decision == """
                refused: a token of the kind fleet_reader
                caller:  "dispatch" (api_key)
                because: the rule all does not apply: the caller is restricted to other rules
                """)
    }

    @Test func `an unauthenticated caller is refused with a reason, without its credentials`() throws {
        let anonymous = Explanation(.server, by: .none, gate)
        #expect(
            anonymous.decision == """
                refused: a token of the kind server
                caller:  not authenticated
                because: the request has no credentials
                """)
        #expect(
            anonymous.json
                == #"{"allowed":false,"kind":"server","reason":"the request has no credentials","checks":["#
                + #"{"name":"credentials","met":false,"detail":"the request has no credentials"}]}"#)
        let forged = Explanation(.server, by: .token(try ProviderKey(1).token()), gate)
        #expect(
            forged.decision.hasSuffix(
                "because: the bearer token of issuer https://id.example has a signature that its issuer's key did not make"
            ))
        let unknown = Explanation(.server, by: .apiKey(Array("tpk_canary".utf8)), gate)
        #expect(
            unknown.decision.hasSuffix(
                "because: the API key is malformed; expected 47 characters as api-key new prints them"))
    }

    @Test func `a disabled kind is refused with the settings that enable it`() throws {
        let gate = try CallerSetup(try callerValues("callers: none"), logger: .silent).gate
        let explanation = Explanation(try trip("t-1"), by: .none, gate, .listingAndKey)
        #expect(!explanation.isAllowed)
        #expect(
            explanation.decision.hasSuffix(
                "because: the kind is off: kinds.enabled and kinds.consumer.credentials turn it on"))
    }

    @Test func `without authentication, tokens for single ids are allowed and wildcards refused`() throws {
        let open = try CallerSetup(try callerValues("callers: none"), logger: .silent).gate
        #expect(
            Explanation(try trip("t-1"), by: .none, open).decision == """
                allowed: a token of the kind consumer
                caller:  "" (none)
                because: callers are not authenticated (callers: none)
                """)
        let server = Explanation(.server, by: .none, open)
        #expect(
            server.json
                == #"{"allowed":false,"kind":"server","#
                + #""reason":"callers are not authenticated, and tokens of the kind open the whole fleet","checks":["#
                + #"{"name":"credentials","met":null,"detail":"none"},{"name":"decision","met":false,"#
                + #""detail":"callers are not authenticated, and tokens of the kind open the whole fleet"}]}"#
        )
    }

    @Test func `every condition is shown with its value, in colour if wanted`() throws {
        let explanation = Explanation(
            try trip("t-3"), by: try rider(#""Role":"rider","trips":["t-1"],"azp":"app""#), gate)
        let lines = ExplanationText(isColoured: false).text(explanation).split(separator: "\n").dropFirst(3)
        let expiry = try #require(lines.first { $0.contains("expiry") })
        #expect(
            lines.filter { $0 != expiry } == [
                #"✓ issuer            "https://id.example""#,
                #"✓ signature         alg is "RS256", kid is "k1""#,
                #"✓ audience          aud is "fleet""#,
                #"- authorized party  azp is "app""#,
                #"✗ rule riders       the claim role is missing; the token has Role; expected "rider""#,
            ])
        #expect(expiry.contains(/^✓ expiry            exp is [-0-9]{10}T[0-9:]{8}Z$/))
        #expect(ExplanationText(isColoured: true).text(explanation).contains("\u{1B}[31m✗\u{1B}[0m rule riders"))
    }

    @Test func `a forged token shows its met and unmet conditions`() throws {
        let token = try ProviderKey(1).token(claims: #""azp":["a"]"#)
        let text = ExplanationText(isColoured: false).text(Explanation(try trip("t-3"), by: .token(token), gate))
        #expect(text.contains("✓ issuer "))
        #expect(text.contains("✗ signature         it has a signature that its issuer's key did not make\n"))
        #expect(text.contains(#"✓ audience          aud is "fleet""#))
        #expect(!text.contains("rule riders"))
        let parts = String(decoding: token, as: UTF8.self).split(separator: ".")
        #expect(parts.allSatisfy { !text.contains($0) })
    }
}
