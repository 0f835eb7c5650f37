@testable import ServiceConfiguration
@testable import CallerAccess
@testable import FleetEngineToken
import Testing

@testable import StrictJSON

/// `rules` in a configuration file.
@Suite struct RuleRecordTests {
    /// The rules of a list of mappings, in a configuration with an issuer.
    static func rules(_ yaml: String) throws -> [AccessRule] {
        let issuer = "issuers: [{issuer: 'https://id.example', audiences: a, algorithms: RS256, keys: k}]\n"
        return try resolve("\(issuer)rules:\n\(yaml)", environment: servingEveryKind).configuration.rules
    }

    private static func ids(_ texts: String...) throws -> AllowedIDs {
        .literals(Set(try texts.map { try FleetEngineID($0) }))
    }

    @Test func `every rule setting is read, and rules keep their order`() throws {
        let yaml = """
            - name: riders
              kinds: [consumer, trusted_delivery_driver]
              issuers: [https://a.example, https://b.example]
              api_keys: dispatch
              claims:
                - {claim: groups, contains: riders}
                - {claim: address.verified, equals: true}
              ids:
                tripID: {claim: trips}
                deliveryVehicleID: any
                taskID: [t-1, t-2]
            - {name: second, kinds: server}
            """
        let rule = try AccessRule(
            name: "riders", kinds: [.consumer, .trustedDeliveryDriver],
            callers: [
                .jwt(issuer: "https://a.example"), .jwt(issuer: "https://b.example"), .apiKey(name: "dispatch"),
            ],
            claims: [
                try ClaimRequirement(ClaimPath("groups"), contains: "riders"),
                try ClaimRequirement(ClaimPath(names: ["address", "verified"]), equals: .bool(true)),
            ],
            ids: [
                .tripID: .claim(try ClaimPath("trips")), .deliveryVehicleID: .any, .taskID: try Self.ids("t-1", "t-2"),
            ])
        // Rules may name only issuers and API keys that are configured.
        let issuers = ["a", "b"].map {
            "{issuer: 'https://\($0).example', audiences: a, algorithms: RS256, keys: k}"
        }
        let file = "api_keys: {file: keys}\nissuers: [\(issuers.joined(separator: ", "))]\n"
        let found = try resolve(file + "rules:\n\(yaml)", environment: servingEveryKind).configuration.rules
        #expect(found == [rule, try AccessRule(name: "second", kinds: [.server])])
    }

    @Test(
        arguments: [
            ("riders", .string("riders")), ("7", .integer(7)), ("-7", .integer(-7)), ("true", .bool(true)),
            ("false", .bool(false)), ("'True'", .string("True")), ("\"7.5\"", .string("7.5")), ("'7'", .string("7")),
            ("'true'", .string("true")), ("'null'", .string("null")), ("9223372036854775807", .integer(.max)),
            ("'9223372036854775808'", .string("9223372036854775808")), ("-9223372036854775808", .integer(.min)),
            ("riders-7", .string("riders-7")), ("1.2.3", .string("1.2.3")),
        ] as [(String, JSONValue)])
    func `a claim equals text, an integer or a boolean; quotes mean text`(yaml: String, literal: JSONValue) throws {
        let rules = try Self.rules("- {name: a, kinds: server, claims: [{claim: c, equals: \(yaml)}]}")
        let claim = try ClaimRequirement(ClaimPath("c"), equals: literal)
        #expect(rules == [try AccessRule(name: "a", kinds: [.server], claims: [claim])])
    }

    @Test(arguments: [
        ("trips", ["trips"]), ("a.b.c", ["a", "b", "c"]), ("[a.b]", ["a.b"]),
        (
            "['https://a.example/ids', b]",
            [
                "https://a.example/ids", "b",
            ]
        ),
    ])
    func `a claim path is dotted names or a list of names`(yaml: String, names: [String]) throws {
        let rules = try Self.rules("- {name: a, kinds: driver, ids: {vehicleID: {claim: \(yaml)}}}")
        let ids: [IDName: AllowedIDs] = [.vehicleID: .claim(try ClaimPath(names: names))]
        #expect(rules == [try AccessRule(name: "a", kinds: [.driver], ids: ids)])
    }

    @Test func `the word any allows every id, but is an id in lists`() throws {
        let every = try Self.rules("- {name: a, kinds: driver, ids: {vehicleID: any}}")
        #expect(every == [try AccessRule(name: "a", kinds: [.driver], ids: [.vehicleID: .any])])
        let one = try Self.rules("- {name: a, kinds: driver, ids: {vehicleID: [any]}}")
        #expect(one == [try AccessRule(name: "a", kinds: [.driver], ids: [.vehicleID: Self.ids("any")])])
    }

    @Test func `the documented example is valid`() throws {
        let yaml =
            "issuers:\n\(IssuerRecord.example)\nforward_auth: {url: https://backend.example}\n"
            + "api_keys: {file: api-keys}\ntls: {client_ca_file: clients.pem, client_certificates: optional}\nrules:\n\(RuleRecord.example)"
        let configuration = try resolve(yaml, environment: servingEveryKind).configuration
        #expect(configuration.issuers.map(\.policy.issuer) == ["https://id.example.com"])
        #expect(configuration.rules.map(\.name).prefix(2) == ["riders", "dispatch"])
    }
}
