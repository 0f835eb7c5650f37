import CallerAccess
import HTTPClient
import Testing

@testable import ServiceConfiguration

/// `issuers` in a configuration file.
@Suite struct IssuerRecordTests {
    private static let tenant = "11111111-2222-3333-4444-555555555555"
    private static let rest = "audiences: [fleet], algorithms: [RS256]"

    private func issuers(_ yaml: String, folder: String = "") throws -> [Configuration.Issuer] {
        let document = ConfigurationDocument(name: folder + "token-provider.yaml", bytes: Array(yaml.utf8))
        return try Configuration.read(document, flags: ConfigurationFlags(), environment: onlyCredentials)
            .configuration()
            .configuration.issuers
    }

    @Test func `a minimal issuer gets the defaults`() throws {
        let issuer = try #require(try issuers("issuers: [{issuer: 'https://id.example', \(Self.rest)}]").first)
        #expect(issuer.policy.issuer == "https://id.example")
        #expect(issuer.policy.audiences == ["fleet"])
        #expect(issuer.policy.algorithms == [.rs256])
        #expect(issuer.policy.leeway == 60)
        #expect(issuer.policy.type == nil)
        #expect(issuer.policy.principal == .subject)
        #expect(issuer.keepKeys == 86_400)
        #expect(
            issuer.keys == .discovery(try OutgoingURL("https://id.example/.well-known/openid-configuration")))
    }

    @Test func `every issuer setting is read, and issuers keep their order`() throws {
        let yaml = """
            issuers:
              - issuer: urn:fleet
                audiences: [one, two]
                audience_claim: client_id
                algorithms: [ES384, EdDSA, PS512]
                keys: https://id.example/keys?tenant=7
                type: at+jwt
                header: X-Goog-IAP-JWT-Assertion
                leeway: 5m
                keep_keys: 1m
              - {issuer: b, audiences: only, algorithms: RS512, keys: b.json, leeway: 0s, keep_keys: 720h}
            """
        let both = try issuers(yaml)
        #expect(both.map(\.policy.issuer) == ["urn:fleet", "b"])
        #expect(both.map(\.policy.audiences) == [["one", "two"], ["only"]])
        #expect(both.map(\.policy.audienceClaim) == ["client_id", "aud"])
        #expect(both.map(\.policy.algorithms) == [[.es384, .edDSA, .ps512], [.rs512]])
        #expect(both.map(\.policy.type) == ["at+jwt", nil])
        #expect(both.map(\.policy.header) == ["x-goog-iap-jwt-assertion", nil])
        #expect(both.map(\.policy.leeway) == [300, 0])
        #expect(both.map(\.keepKeys) == [60, 2_592_000])
        #expect(both.map(\.keys) == [.url(try OutgoingURL("https://id.example/keys?tenant=7")), .file("b.json")])
    }

    @Test func `an issuer of several tenants has their common keys`() throws {
        let name = "https://login.microsoftonline.com/{tenantid}/v2.0"
        let issuer = try #require(
            try issuers("issuers: [{issuer: '\(name)', \(Self.rest), tenants: [\(Self.tenant)]}]").first)
        let metadata = "https://login.microsoftonline.com/organizations/v2.0/.well-known/openid-configuration"
        #expect(issuer.keys == .discovery(try OutgoingURL(metadata)))
        #expect(issuer.policy.issuer == name)
    }

    @Test(arguments: [
        "'*'", "common", "organizations", "consumers", "contoso.onmicrosoft.com", "'{tenantid}'", "1",
        "11111111222233334444555555555555", "11111111-2222-3333-4444-55555555555g",
        "AAAAAAAA-2222-3333-4444-555555555555", "11111111-2222-3333-4444-555555555555-",
    ])
    func `a tenant other than an id of Entra ID is refused`(tenant: String) throws {
        let error = try #require(throws: ConfigurationErrors.self) {
            try issuers(
                "issuers: [{issuer: 'https://h/{tenantid}', \(Self.rest), tenants: [\(Self.tenant), \(tenant)]}]")
        }
        let cure = "is not a GUID in lower case; expected Entra ID's id of one tenant, such as \(Self.tenant)"
        #expect(error.sentences.count == 1 && error.sentences[0].hasSuffix(cure), "\(error.sentences)")
    }

    @Test(arguments: [("keys.json", "etc/deep/keys.json"), ("../keys.json", "etc/deep/../keys.json"), ("/k", "/k")])
    func `a relative key path starts in the configuration file's folder`(path: String, located: String) throws {
        let yaml = "issuers: [{issuer: a, \(Self.rest), keys: \(path)}]"
        #expect(try issuers(yaml, folder: "etc/deep/").map(\.keys) == [.file(located)])
    }

    @Test(arguments: [
        "login.microsoftonline.com/{TenantId}/v2.0", "login.microsoftonline.us/{tenantID}/v2.0",
        "login.partner.microsoftonline.cn/common/v2.0", "login.chinacloudapi.cn/Organizations/v2.0",
        "sts.windows.net/{tid}/", "sts.windows.net/common/",
    ])
    func `Entra issuers without a tenant are refused with the cure`(name: String) throws {
        let tenant = try #require(name.split(separator: "/").dropFirst().first)
        for tenants in ["", ", tenants: [\(Self.tenant)]"] {
            let error = try #require(throws: ConfigurationErrors.self) {
                try issuers("issuers: [{issuer: 'https://\(name)', \(Self.rest)\(tenants)}]")
            }
            let cure = "write the tenant's id for \(tenant), or {tenantid} and tenants"
            #expect(error.sentences.count == 1 && error.sentences[0].contains(cure), "\(error.sentences)")
        }
    }

    @Test(arguments: [
        ("sts.windows.net/{tenantid}/", "login.microsoftonline.com/organizations"),
        ("login.microsoftonline.us/{tenantid}/v2.0", "login.microsoftonline.us/organizations/v2.0"),
    ])
    func `several tenants of Entra ID share the metadata of their organizations`(name: String, base: String) throws {
        let yaml = "issuers: [{issuer: 'https://\(name)', \(Self.rest)"
        #expect(throws: ConfigurationErrors.self) { try issuers("\(yaml)}]") }
        let found = try issuers("\(yaml), tenants: [\(Self.tenant)]}]").map(\.keys)
        #expect(found == [.discovery(try OutgoingURL("https://\(base)/.well-known/openid-configuration"))])
    }

    @Test(arguments: [
        ("https://id.example", "https://id.example/.well-known/openid-configuration"),
        ("https://id.example/", "https://id.example/.well-known/openid-configuration"),
        ("https://id.example/realms/fleet", "https://id.example/realms/fleet/.well-known/openid-configuration"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/.well-known/openid-configuration"),
    ])
    func `discovery appends its path to the issuer with exactly one slash`(issuer: String, url: String) throws {
        for keys in ["", ", keys: discovery", ", keys: 'discovery'"] {
            let found = try issuers("issuers: [{issuer: '\(issuer)', \(Self.rest)\(keys)}]").map(\.keys)
            #expect(found == [.discovery(try OutgoingURL(url))])
        }
    }

    // Without discovery the issuer is only a name.
    @Test func `an issuer without discovery may have a query`() throws {
        let yaml = "issuers: [{issuer: 'https://id.example?tenant=7#a', \(Self.rest), keys: k}]"
        #expect(try issuers(yaml).map(\.policy.issuer) == ["https://id.example?tenant=7#a"])
    }

    @Test(arguments: [
        ("sub", ["sub"]), ("user.id", ["user", "id"]), ("['https://x.example/user']", ["https://x.example/user"]),
    ])
    func `the principal claim is a path, as in rules`(principal: String, names: [String]) throws {
        let yaml = "issuers: [{issuer: a, \(Self.rest), keys: k, principal: \(principal)}]"
        #expect(try issuers(yaml).map(\.policy.principal) == [try ClaimPath(names: names)])
    }

    @Test(arguments: [
        ("{}", "1:11: issuers[0]: issuer is missing; expected what iss holds"),
        (
            "{audiences: a, algorithms: RS256}", "1:11: issuers[0]: issuer is missing; expected what iss holds"
        ),
        (
            "{issuer: b, algorithms: RS256, keys: k}",
            "1:11: issuers[0]: audiences is missing; expected what aud may hold, or a list of them"
        ),
        (
            "{issuer: b, audiences: a, keys: k}",
            "1:11: issuers[0]: algorithms is missing; expected one of RS256, RS384, RS512, PS256, PS384, PS512, ES256, "
                + "ES384, EdDSA, Ed25519, or a list of them"
        ),
        (
            "{issuer: b, audiences: a, algorithms: [RS256, none], keys: k}",
            "1:57: issuers[0].algorithms: \"none\" is unknown; expected one of RS256, RS384, RS512, PS256, PS384, PS512, "
                + "ES256, ES384, EdDSA, Ed25519"
        ),
        (
            "{issuer: b, audiences: a, algorithms: HS256, keys: k}",
            "1:37: issuers[0].algorithms: \"HS256\" is unknown; expected one of RS256, RS384, RS512, PS256, PS384, "
                + "PS512, ES256, ES384, EdDSA, Ed25519"
        ),
        (
            "{issuer: b, audiences: [], algorithms: RS256, keys: k}",
            "1:23: issuers[0].audiences: is an empty list; expected at least one: what aud may hold"
        ),
        (
            "{issuer: b, audiences: a, algorithms: RS256, keys: 'http://id.example/keys'}",
            "1:56: issuers[0].keys: is not a URL for keys: the URL is plain http to another "
                + "machine; expected https://HOST[:PORT][/PATH], or http:// to localhost, 127.0.0.0/8 or [::1]; "
                + "expected discovery, the https URL of a JWK set, or the path of its file"
        ),
        (
            "{issuer: b, audiences: a, algorithms: RS256, keys: ''}",
            "1:56: issuers[0].keys: \"\" is empty; expected discovery, the https URL of a JWK set, or the path of its file"
        ),
        (
            "{issuer: b, audiences: a, algorithms: RS256, keys: [discovery]}",
            "1:56: issuers[0].keys: is a list; expected discovery, the https URL of a JWK set, or the path of its file"
        ),
        (
            "{issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0', audiences: a, algorithms: RS256}",
            "1:11: issuers[0]: the issuer is of any tenant; expected tenants, the ids of those whose tokens are accepted"
        ),
        (
            "{issuer: https://login.microsoftonline.com/common/v2.0, audiences: a, algorithms: RS256}",
            "1:12: issuers[0].issuer: \"https://login.microsoftonline.com/common/v2.0\" names no tenant, and each token "
                + "does: write the tenant's id for common, or {tenantid} and tenants; expected what iss holds"
        ),
        (
            "{issuer: https://id.example, audiences: a, algorithms: RS256, tenants: [11111111-2222-3333-4444-555555555555]}",
            "1:11: issuers[0]: the issuer has no {tenantid} in its name; expected no tenants"
        ),
        (
            "{issuer: b, audiences: a, algorithms: RS256}",
            "1:11: issuers[0]: discovery needs an issuer that is a URL: the URL begins neither with https:// nor with "
                + "http://; expected https://HOST[:PORT][/PATH], or http:// to localhost, 127.0.0.0/8 or [::1]; expected "
                + "such an issuer, or keys: URL or FILE"
        ),
        (
            "{issuer: 'https://id.example?tenant=7', audiences: a, algorithms: RS256}",
            "1:11: issuers[0]: discovery needs an issuer that is a URL without query and fragment; expected such an "
                + "issuer, or keys: URL or FILE"
        ),
        (
            "{issuer: 'https://id.example/#a', audiences: a, algorithms: RS256, keys: discovery}",
            "1:11: issuers[0]: discovery needs an issuer that is a URL without query and fragment; expected such an "
                + "issuer, or keys: URL or FILE"
        ),
        (
            "{issuer: b, audiences: a, algorithms: RS256, keys: k, leeway: 301s}",
            "1:65: issuers[0].leeway: \"301s\" is over 5m; expected a duration from 0s to 5m"
        ),
        (
            "{issuer: b, audiences: a, algorithms: RS256, keys: k, keep_keys: 59s}",
            "1:65: issuers[0].keep_keys: \"59s\" is under 1m; expected a duration from 1m to 720h"
        ),
        (
            "{issuer: b, audiences: a, algorithms: RS256, keys: k, type: ''}",
            "1:65: issuers[0].type: \"\" is empty; expected what typ must be"
        ),
        (
            "{issuer: b, audiences: a, algorithms: RS256, keys: k, principal: user..id}",
            "1:65: issuers[0].principal: the path of a claim has no name or an empty one; expected names with "
                + "dots between them"
        ),
        (
            "{issuer: b, audience: a, audiences: a, algorithms: RS256, keys: k}",
            "1:23: issuers[0].audience: unknown key; did you mean \"audiences\"?"
        ),
        (
            "{issuer: b, audiences: a, algorithms: RS256, keys: k, secret: s}",
            "1:65: issuers[0].secret: unknown key; expected one of issuer, spiffe_trust_domain, audiences, audience_claim, "
                + "algorithms, tenants, allow_plain_http, keys, keys_token_file, type, principal, header, leeway, keep_keys"
        ),
        (
            "b",
            "1:11: issuers[0]: is not a mapping; expected a list of issuers, each with issuer, audiences and algorithms"
        ),
        (
            "~",
            "1:11: issuers[0]: is not a mapping; expected a list of issuers, each with issuer, audiences and algorithms"
        ),
    ])
    func `an invalid issuer is refused at its position`(record: String, sentence: String) {
        let sentences = refusal(of: "issuers: [\(record)]", environment: onlyCredentials).split(separator: "\n")
        #expect(sentences.first.map(String.init) == "token-provider.yaml:\(sentence)")
        #expect(sentences.count == (record == "{}" ? 3 : 1))
    }

    @Test(arguments: [
        ("issuers: a", "is not a list"), ("issuers: {issuer: a}", "is not a list"), ("issuers:", "has no value"),
    ])
    func `issuers that are not a list are refused`(yaml: String, what: String) {
        #expect(
            refusal(of: yaml, environment: onlyCredentials)
                == "token-provider.yaml:1:1: issuers: \(what); expected a list of issuers, each with issuer, audiences and "
                + "algorithms")
    }

    @Test func `all errors of all issuers are reported at once`() {
        let yaml = """
            issuers:
              - issuer: ''
                algorithms: [RS256]
                leway: 1s
              - issuer: https://id.example
                audiences: [a]
                algorithms: [HS512]
                leeway: 10
              - 5
            """
        #expect(
            refusal(of: yaml, environment: onlyCredentials) == """
                token-provider.yaml:9:5: issuers[2]: is not a mapping; expected a list of issuers, each with issuer, audiences and algorithms
                """)
        #expect(
            refusal(of: yaml.split(separator: "\n").dropLast().joined(separator: "\n"), environment: onlyCredentials)
                == """
                token-provider.yaml:2:5: issuers[0].issuer: "" is empty; expected what iss holds
                token-provider.yaml:2:5: issuers[0]: audiences is missing; expected what aud may hold, or a list of them
                token-provider.yaml:4:5: issuers[0].leway: unknown key; did you mean "leeway"?
                token-provider.yaml:7:18: issuers[1].algorithms: "HS512" is unknown; expected one of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, EdDSA, Ed25519
                token-provider.yaml:8:5: issuers[1].leeway: "10" has no unit (ms, s, m or h); expected a duration from 0s to 5m
                """)
    }

    @Test(arguments: ["ISSUERS", "RULES"])
    func `an environment variable cannot hold a list of mappings`(name: String) {
        let variable = "TOKEN_PROVIDER_\(name)"
        #expect(
            refusal(environment: withCredentials.merging([variable: "[]"]) { $1 })
                == "environment \(variable): a variable cannot hold a list of mappings; expected \(name.lowercased()) in the "
                + "configuration file"
        )
    }
}
