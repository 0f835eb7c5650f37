import Foundation
import TestSupport
import Testing

/// Each configuration of IdentityProviders.md with a loopback provider that publishes keys and signs tokens as the real
/// one does: only the provider's host is replaced.
@Suite(.blocking, .tags(.addressSanitizer)) struct ProviderTokenTests {
    /// A token of a provider: the claims that its public documentation shows, and one that a rule needs.
    struct ProviderToken: CustomTestStringConvertible, Sendable {
        let provider: String
        /// Which of the provider's configurations it is for, and which of its keys signs it.
        var number = 0
        let issuer: String
        /// The other claims as JSON.
        let claims: String
        /// Changes of claims, where null removes one, with the status and the reason of the refusal.
        let mistakes: [(change: String, status: Int, reason: String)]

        var testDescription: String { "\(provider), \(issuer), \(number)" }

        /// The refusal of a token whose issuer has a last slash too many or too few.
        var slash: (issuer: String, remedy: String) {
            issuer.hasSuffix("/")
                ? (String(issuer.dropLast()), "(add a last slash)") : ("\(issuer)/", "(remove the last slash)")
        }
    }

    private static let cognito = "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_AbCdEfGhI"
    private static let tenant = "11111111-2222-3333-4444-555555555555"
    private static let api = "66666666-7777-8888-9999-000000000000"

    static let tokens = [
        // firebase.google.com/docs/auth/admin/verify-id-tokens
        ProviderToken(
            provider: "Firebase Auth", issuer: "https://securetoken.google.com/my-fleet",
            claims: """
                {"aud": "my-fleet", "user_id": "a1b2c3", "auth_time": 1795000000, "vehicle": "vehicle-1",
                 "email_verified": false, "firebase": {"identities": {}, "sign_in_provider": "custom"}}
                """,
            mistakes: [
                (
                    #"{"aud": "other-fleet"}"#, 401,
                    #"is for another audience: aud is "other-fleet", expected "my-fleet""#
                ),
                (#"{"vehicle": "vehicle-2"}"#, 403, "the claim vehicle is not "),
            ]),
        // cloud.google.com/identity-platform/docs/multi-tenancy-authentication
        ProviderToken(
            provider: "Google Identity Platform", issuer: "https://securetoken.google.com/my-fleet",
            claims: """
                {"aud": "my-fleet", "user_id": "a1b2c3", "auth_time": 1795000000, "vehicle": "vehicle-1",
                 "firebase": {"identities": {}, "sign_in_provider": "password", "tenant": "drivers-abcde"}}
                """,
            mistakes: [
                (#"{"aud": "other-fleet"}"#, 401, #"is for another audience: aud is "other-fleet""#),
                (
                    #"{"firebase": {"tenant": "riders-abcde"}}"#, 403,
                    #"the claim firebase.tenant is not "drivers-abcde""#
                ),
            ]),
        // developers.google.com/identity/openid-connect/openid-connect#an-id-tokens-payload
        ProviderToken(
            provider: "Google sign-in", issuer: "https://accounts.google.com",
            claims: """
                {"aud": "123456789012-abc.apps.googleusercontent.com", "hd": "example.com", "email_verified": true,
                 "azp": "123456789012-abc.apps.googleusercontent.com", "email": "jane@example.com"}
                """,
            mistakes: [
                (#"{"aud": "app"}"#, 401, #"is for another audience: aud is "app""#),
                (#"{"hd": null}"#, 403, #"the claim hd is missing; expected "example.com""#),
            ]),
        // auth0.com/docs/secure/tokens/access-tokens/access-token-profiles
        ProviderToken(
            provider: "Auth0", issuer: "https://my-fleet.eu.auth0.com/",
            claims: """
                {"aud": ["https://tokens.example.com", "https://my-fleet.eu.auth0.com/userinfo"], "azp": "client",
                 "scope": "openid profile", "https://example.com/vehicle": "vehicle-1"}
                """,
            mistakes: [
                (
                    #"{"aud": "https://tokens.example.com/"}"#, 401,
                    #"aud is "https://tokens.example.com/", expected "https://tokens.example.com" (remove the "#
                        + "last slash)"
                ),
                (
                    #"{"https://example.com/vehicle": null, "vehicle": "vehicle-1"}"#, 403,
                    #"the claim "https://example.com/vehicle" is missing; expected "#
                ),
            ]),
        // docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-id-token.html
        ProviderToken(
            provider: "Amazon Cognito", issuer: cognito,
            claims: """
                {"aud": "1h57kf5cpq17m0eml12EXAMPLE", "token_use": "id", "auth_time": 1795000000,
                 "cognito:username": "janedoe", "cognito:groups": ["drivers"], "custom:vehicle": "vehicle-1"}
                """,
            mistakes: [
                (
                    #"{"aud": null, "client_id": "1h57kf5cpq17m0eml12EXAMPLE", "token_use": "access"}"#, 401,
                    #"has no aud; expected "1h57kf5cpq17m0eml12EXAMPLE" (client_id is it: set "#
                        + "audience_claim: client_id)"
                ),
                (#"{"aud": "other"}"#, 401, #"is for another audience: aud is "other""#),
                (#"{"cognito:groups": null}"#, 403, "the claim cognito:groups is missing"),
            ]),
        // docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-access-token.html
        ProviderToken(
            provider: "Amazon Cognito", number: 1, issuer: cognito,
            claims: """
                {"client_id": "1h57kf5cpq17m0eml12EXAMPLE", "token_use": "access", "scope": "openid",
                 "username": "janedoe", "vehicle": "vehicle-1"}
                """,
            mistakes: [
                (
                    #"{"client_id": null, "aud": "1h57kf5cpq17m0eml12EXAMPLE", "token_use": "id"}"#, 401,
                    #"has no client_id; expected "1h57kf5cpq17m0eml12EXAMPLE""#
                ),
                (#"{"client_id": "other"}"#, 401, #"is for another audience: client_id is "other""#),
            ]),
        // www.keycloak.org/docs/latest/server_admin/index.html#_audience
        ProviderToken(
            provider: "Keycloak", issuer: "https://login.example.com/realms/fleet",
            claims: """
                {"aud": ["token-provider", "account"], "typ": "Bearer", "azp": "app", "vehicle": "vehicle-1",
                 "realm_access": {"roles": ["offline_access", "driver"]}}
                """,
            mistakes: [
                (
                    #"{"aud": null}"#, 401,
                    #"has no aud; expected "token-provider" (azp names the client, which never counts: let "#
                        + "the provider add this audience)"
                ),
                (
                    #"{"aud": "account"}"#, 401,
                    #"is for another audience: aud is "account", expected "token-provider""#
                ),
                (#"{"realm_access": {"roles": []}}"#, 403, #"the claim realm_access.roles does not contain "driver""#),
            ]),
        // developer.okta.com/docs/api/openapi/okta-oauth/guides/overview
        ProviderToken(
            provider: "Okta", issuer: "https://example.okta.com/oauth2/default",
            claims: """
                {"aud": "api://default", "ver": 1, "cid": "0oa1", "uid": "00u1", "scp": ["openid", "fleet.token"],
                 "vehicle": "vehicle-1"}
                """,
            mistakes: [
                (#"{"aud": "api://Default"}"#, 401, #"expected "api://default" (case differs)"#),
                (#"{"scp": ["openid"]}"#, 403, #"the claim scp does not contain "fleet.token""#),
            ]),
        // learn.microsoft.com/en-us/entra/identity-platform/access-token-claims-reference
        ProviderToken(
            provider: "Microsoft Entra ID", issuer: "https://login.microsoftonline.com/\(tenant)/v2.0",
            claims: """
                {"aud": "\(api)", "ver": "2.0", "azp": "app", "tid": "\(tenant)", "roles": ["Driver"],
                 "extn.vehicle": ["vehicle-1"]}
                """,
            mistakes: [
                (#"{"aud": "api://\#(api)"}"#, 401, #"aud is "api://\#(api)", expected "\#(api)""#),
                (#"{"roles": null}"#, 403, "the claim roles is missing"),
            ]),
        ProviderToken(
            provider: "Microsoft Entra ID", issuer: "https://sts.windows.net/\(tenant)/",
            claims: """
                {"aud": "api://\(api)", "ver": "1.0", "appid": "app", "tid": "\(tenant)", "roles": ["Driver"],
                 "extn.vehicle": ["vehicle-1"]}
                """,
            mistakes: [
                (#"{"aud": "\#(api)"}"#, 401, #"aud is "\#(api)", expected "api://\#(api)""#),
                (#"{"extn.vehicle": ["vehicle-2"]}"#, 403, #"the claim "extn.vehicle" does not contain "#),
            ]),
    ]

    private let files: CallerFiles

    init() throws { files = try CallerFiles() }

    @Test(arguments: tokens)
    func `a provider's tokens are accepted, and mistakes are explained`(token: ProviderToken) throws {
        let provider = try LoopbackProvider(token.provider, issuer: token.issuer)
        defer { provider.end() }
        let configuration = try write(
            provider.redirected(try block(token.provider, token.number)),
            more: "outgoing: {ca_file: \(provider.authority.path)}")
        let daemon = try DaemonProcess(["serve", "--config", configuration], scratch: files.scratch)
        let right = try provider.token(token)
        let vehicle = "\(daemon.url)/token?vehicleID=vehicle-1"
        #expect(try Curl(vehicle, bearer: right).status == 200)
        #expect(try explain(right).status == 0)
        let iss = #"{"iss": "\#(provider.redirected(token.slash.issuer))"}"#
        for (change, status, reason) in token.mistakes + [(iss, 401, token.slash.remedy)] {
            let wrong = try provider.token(token, changed: change)
            #expect(try Curl(vehicle, bearer: wrong).status == status, "\(change)")
            let explained = try explain(wrong).reason
            #expect(explained.contains(reason), "\(explained)")
        }
        #expect(try daemon.end() == 0)
        let log = try daemon.log().replacing("\\\"", with: "\"")
        for mistake in token.mistakes { #expect(log.contains(mistake.reason), "\(log)") }
        #expect(log.contains(token.slash.remedy))
    }

    @Test func `Entra's other version is named where only one is configured`() throws {
        let second = #/ {2}- issuer: https://sts(?:.*\n){4}/#
        let text = try block("Microsoft Entra ID").replacing(second, with: "")
            .replacing(/\n +- https:\/\/sts.*/, with: "").replacing(/keys: https.*/, with: "keys: keys.json")
        let daemon = try DaemonProcess(["serve", "--config", write(text)], scratch: files.scratch)
        let token = try files.token(["iss": "https://sts.windows.net/\(Self.tenant)/"])
        #expect(try Curl("\(daemon.url)/token?vehicleID=vehicle-1", bearer: token).status == 401)
        let hint = "(Entra ID signs tokens of version 1 by this issuer: add it, or change the version)"
        #expect(try explain(token).reason.hasSuffix(hint))
        #expect(try daemon.end() == 0)
        #expect(try daemon.log().contains(hint))
    }

    @Test func `Auth0's claim as a text with dots is refused`() throws {
        let name = "https://example.com/vehicle"
        let text = try block("Auth0").replacing(#"["\#(name)"]"#, with: name)
        let outcome = try Program.run(Program.daemon, ["check", "--config", write(text)])
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains(#"split at its dots; expected a list with the name, such as ["https://"#))
    }

    // MARK: -

    private func block(_ provider: String, _ number: Int = 0) throws -> String {
        let blocks = try DocumentedBlock.all().filter {
            ($0.page, $0.section, $0.language) == ("IdentityProviders", provider, "yaml")
        }
        return try #require(blocks.dropFirst(number).first).text
    }

    /// Writes the configuration with what the page leaves out.
    private func write(_ block: String, more: String = "") throws -> String {
        try files.scratch.write(
            "token-provider.yaml", "listen: 127.0.0.1:0\ncredentials: key.json\n\(block)\(more)\n")
    }

    private func explain(_ token: String) throws -> (status: Int32, reason: String) {
        let flags = ["--config", files.scratch.path("token-provider.yaml"), "--vehicle", "vehicle-1", "--json"]
        let outcome = try Program.run(Program.daemon, ["explain", "--as", token] + flags)
        return (outcome.status, try #require(outcome.json()["reason"] as? String, "\(outcome.errors)"))
    }
}

/// A provider on this machine, by `loopback_provider.py`.
private struct LoopbackProvider {
    let authority: TestAuthority
    private let client: RunningClient
    private let origin: String

    init(_ name: String, issuer: String) throws {
        authority = try TestAuthority().certify("server")
        let path = URL(string: issuer)?.path(percentEncoded: true) ?? ""
        client = try PythonClients.startProvider(
            "loopback_provider.py", [name, path, authority.path("server.pem"), authority.path("server.key")])
        origin = "https://localhost:\(try #require(client.firstLine))"
    }

    /// A configuration or an issuer with this provider's host instead of the real one.
    func redirected(_ text: String) -> String {
        let hosts = text.matches(of: /(?:issuer: |^)(https:\/\/[^\/\s]+)/).map { String($0.1) }
        return Set(hosts).reduce(text) { $0.replacing($1, with: origin) }
    }

    /// A token with its claims changed.
    func token(_ token: ProviderTokenTests.ProviderToken, changed change: String = "{}") throws -> String {
        func object(_ text: String) throws -> [String: Any] {
            try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        }
        let own: [String: Any] = ["iss": redirected(token.issuer), "sub": "a1b2c3"]
        let claims = try own.merging(object(token.claims)) { $1 }.merging(object(change)) { $1 }
            .filter { !($0.value is NSNull) }
        let body = String(decoding: try JSONSerialization.data(withJSONObject: claims), as: UTF8.self)
        let url = "\(origin)/token?key=\(token.number)"
        return try #require(try Curl(url, ["--cacert", authority.path, "-d", body]).json()["token"] as? String)
    }

    func end() { client.terminate() }
}
