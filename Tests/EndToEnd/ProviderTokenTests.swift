import Foundation
import Testing

/// Tokens as each identity provider makes them, with the provider's configuration of IdentityProviders.md.
@Suite struct ProviderTokenTests {
    /// A token of a provider: the claims that its public documentation shows, and one that a rule needs.
    struct ProviderToken: CustomTestStringConvertible, Sendable {
        let provider: String
        /// Which of the provider's configurations it is for.
        var number = 0
        let issuer: String
        let audience: [String]
        /// The other claims as JSON, with `"VEHICLE"` for the vehicle.
        let claims: String

        var testDescription: String { "\(provider), \(issuer)" }

        /// All claims.
        func claims(vehicle: String, hasAudience: Bool = true, issuer other: String? = nil) throws -> [String: Any] {
            let text = claims.replacing("VEHICLE", with: vehicle)
            var all = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            all["iss"] = other ?? issuer
            all["sub"] = "a1b2c3"
            let name = all["token_use"] as? String == "access" ? "client_id" : "aud"
            all["aud"] = "https://other.example.com"
            if hasAudience { all[name] = audience.count == 1 ? audience[0] as Any : audience }
            return all
        }
    }

    private static let cognito = "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_AbCdEfGhI"
    private static let tenant = "11111111-2222-3333-4444-555555555555"
    private static let api = "66666666-7777-8888-9999-000000000000"

    static let tokens = [
        // firebase.google.com/docs/auth/admin/verify-id-tokens
        ProviderToken(
            provider: "Firebase Auth", issuer: "https://securetoken.google.com/my-fleet", audience: ["my-fleet"],
            claims: """
                {"user_id": "a1b2c3", "auth_time": 1795000000, "vehicle": "VEHICLE", "email_verified": false,
                 "firebase": {"identities": {}, "sign_in_provider": "custom"}}
                """),
        // cloud.google.com/identity-platform/docs/multi-tenancy-authentication
        ProviderToken(
            provider: "Google Identity Platform", issuer: "https://securetoken.google.com/my-fleet",
            audience: ["my-fleet"],
            claims: """
                {"user_id": "a1b2c3", "auth_time": 1795000000, "vehicle": "VEHICLE",
                 "firebase": {"identities": {}, "sign_in_provider": "password", "tenant": "drivers-abcde"}}
                """),
        // auth0.com/docs/secure/tokens/access-tokens/access-token-profiles
        ProviderToken(
            provider: "Auth0", issuer: "https://my-fleet.eu.auth0.com/",
            audience: ["https://tokens.example.com", "https://my-fleet.eu.auth0.com/userinfo"],
            claims: #"{"azp": "client", "scope": "openid profile", "https://example.com/vehicle": "VEHICLE"}"#),
        // docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-id-token.html
        ProviderToken(
            provider: "Amazon Cognito", issuer: cognito, audience: ["1h57kf5cpq17m0eml12EXAMPLE"],
            claims: """
                {"token_use": "id", "auth_time": 1795000000, "cognito:username": "janedoe",
                 "cognito:groups": ["drivers"], "custom:vehicle": "VEHICLE"}
                """),
        // docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-access-token.html
        ProviderToken(
            provider: "Amazon Cognito", number: 1, issuer: cognito, audience: ["1h57kf5cpq17m0eml12EXAMPLE"],
            claims: #"{"token_use": "access", "scope": "openid", "username": "janedoe", "vehicle": "VEHICLE"}"#),
        // www.keycloak.org/docs/latest/server_admin/index.html#_audience
        ProviderToken(
            provider: "Keycloak", issuer: "https://login.example.com/realms/fleet",
            audience: ["token-provider", "account"],
            claims: """
                {"typ": "Bearer", "azp": "app", "realm_access": {"roles": ["offline_access", "driver"]},
                 "vehicle": "VEHICLE"}
                """),
        // developer.okta.com/docs/api/openapi/okta-oauth/guides/overview
        ProviderToken(
            provider: "Okta", issuer: "https://example.okta.com/oauth2/default", audience: ["api://default"],
            claims: #"{"ver": 1, "cid": "0oa1", "uid": "00u1", "scp": ["openid", "fleet.token"], "vehicle": "VEHICLE"}"#
        ),
        // learn.microsoft.com/en-us/entra/identity-platform/access-token-claims-reference
        ProviderToken(
            provider: "Microsoft Entra ID", issuer: "https://login.microsoftonline.com/\(tenant)/v2.0", audience: [api],
            claims: #"{"ver": "2.0", "azp": "app", "tid": "t", "roles": ["Driver"], "extn.vehicle": ["VEHICLE"]}"#),
        ProviderToken(
            provider: "Microsoft Entra ID", issuer: "https://sts.windows.net/\(tenant)/", audience: ["api://\(api)"],
            claims: #"{"ver": "1.0", "appid": "app", "tid": "t", "roles": ["Driver"], "extn.vehicle": ["VEHICLE"]}"#),
    ]

    private let files: CallerFiles

    init() throws { files = try CallerFiles() }

    @Test(arguments: tokens)
    func `a provider's token is for its own vehicle, and mistakes are explained`(token: ProviderToken) throws {
        let blocks = try DocumentedBlock.all().filter {
            ($0.page, $0.section, $0.language) == ("IdentityProviders", token.provider, "yaml")
        }
        // The keys are read from a file instead of the provider.
        let block = try #require(blocks.dropFirst(token.number).first).text
            .replacing(/\n +keys: https:.*/, with: "")
            .replacing("    algorithms: [RS256]", with: "    algorithms: [RS256]\n    keys: keys.json")
        let configuration = try files.scratch.write("token-provider.yaml", "credentials: key.json\n\(block)")
        func explain(_ claims: [String: Any]) throws -> (status: Int32, text: String) {
            let outcome = try Program.run(
                Program.daemon,
                ["explain", "--config", configuration, "--vehicle", "vehicle-1", "--as", files.token(claims)])
            return (outcome.status, outcome.output + outcome.errors)
        }
        let right = try explain(token.claims(vehicle: "vehicle-1"))
        #expect(right.status == 0, "\(right.text)")
        let wrong = try explain(token.claims(vehicle: "vehicle-2"))
        #expect(wrong.status == 1 && wrong.text.contains("vehicle-1"), "\(wrong.text)")
        let slash = token.issuer.hasSuffix("/") ? String(token.issuer.dropLast()) : token.issuer + "/"
        let misspelt = try explain(token.claims(vehicle: "vehicle-1", issuer: slash))
        #expect(misspelt.status == 1 && misspelt.text.contains("last slash)"), "\(misspelt.text)")
        let without = try explain(token.claims(vehicle: "vehicle-1", hasAudience: false))
        #expect(without.status == 1, "\(without.text)")
        let remark = token.number == 1 ? "has no client_id; expected " : "is for another audience: aud is "
        #expect(without.text.contains(remark), "\(without.text)")
    }
}
