import OpenSSLSigner
import StrictJSON
import Testing

@testable import GoogleCredentials
@testable import HTTPClient

/// The requests of service accounts and of people.
struct GrantTests {
    private let form = ["content-type: application/x-www-form-urlencoded"]

    @Test func `a refresh token is posted without scopes`() async throws {
        let service = FakeService(.ok("{\"access_token\":\"x\"}"))
        _ = try await TestFile.user().token(at: now, by: service.send)
        #expect(
            service.seen == [
                .init(
                    method: "POST", url: TestFile.tokenURL, fields: form,
                    body: "grant_type=refresh_token&client_id=id.apps.googleusercontent.com&"
                        + "client_secret=canary%2Bsecret%26%2F%3D&refresh_token=1%2F%2Fcanary-refresh")
            ])
        #expect(service.requests[0].limits.connectTimeout == .seconds(5))
        #expect(service.requests[0].limits.maxRedirects == 0)
    }

    @Test func `a refused refresh token is explained and not repeated`() async throws {
        let user = try TestFile.user()
        let body = "{\"error\":\"invalid_grant\",\"error_description\":\"1//canary-refresh has been revoked.\"}"
        let send = FakeService(.status(400, body)).send
        #expect(
            try await failure { () throws(AccessTokenError) in try await user.token(at: now, by: send) }.sentence
                == "oauth2.googleapis.com:443 answered with the status 400, expected 200: "
                + "invalid_grant: (hidden)")
    }

    @Test func `an assertion has Google's audience and a signature of the key`() async throws {
        let file = try TestFile.serviceAccount()
        let service = FakeService(.ok("{\"access_token\":\"x\"}"))
        _ = try await JWTBearerGrant.token(file, scopes: ["a", "b"], at: now, by: service.send)
        let seen = try #require(service.seen.first)
        #expect(seen.method == "POST" && seen.url == TestFile.tokenURL && seen.fields == form)
        let prefix = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="
        #expect(seen.body.hasPrefix(prefix))
        let parts = seen.body.dropFirst(prefix.count).split(separator: ".")
        try #require(parts.count == 3)
        #expect(
            try JSONValue(parsing: Base64URL.decode(parts[0].utf8))
                == .object(["alg": .string("RS256"), "typ": .string("JWT"), "kid": .string("key-1")]))
        #expect(
            try JSONValue(parsing: Base64URL.decode(parts[1].utf8))
                == .object([
                    "iss": .string("signer@fleet.iam.gserviceaccount.com"),
                    "aud": .string("https://oauth2.googleapis.com/token"), "scope": .string("a b"),
                    "iat": .integer(now), "exp": .integer(now + 3600),
                ]))
        let signer = try ServiceAccountKey.load(json: file.content, source: "x", allowDefaultServiceAccounts: true)
        // The signature scheme has no random part.
        #expect(try Base64URL.decode(parts[2].utf8) == signer.sign(Array("\(parts[0]).\(parts[1])".utf8)))
        let leak = "{\"error\":\"invalid_grant\",\"error_description\":\"bad \(parts[2])\"}"
        let send = FakeService(.status(400, leak)).send
        let error = try await failure { () throws(AccessTokenError) in
            // The same time has the same signature.
            try await JWTBearerGrant.token(file, scopes: ["a", "b"], at: now, by: send)
        }
        #expect(error.sentence.hasSuffix("(hidden)"))
    }

    @Test func `a key's own access token has scopes and no audience`() throws {
        var file = try TestFile.serviceAccount()
        file.signsAccessTokens = true
        let token = try JWTBearerGrant.ownToken(of: file, scopes: ["a", "b"], at: now)
        #expect(token.expiresAt == now + 3600)
        let parts = token.value.value.split(separator: ".")
        try #require(parts.count == 3)
        let account = JSONValue.string("signer@fleet.iam.gserviceaccount.com")
        #expect(
            try JSONValue(parsing: Base64URL.decode(parts[1].utf8))
                == .object([
                    "iss": account, "sub": account, "scope": .string("a b"), "iat": .integer(now),
                    "exp": .integer(now + 3600),
                ]))
    }

    @Test func `a broken key is one sentence`() async throws {
        let file = try TestFile.serviceAccount(pem: "canary")
        let error = try await failure { () throws(AccessTokenError) in
            try await JWTBearerGrant.token(file, scopes: [], at: now, by: FakeService().send)
        }
        #expect(error.sentence.hasPrefix("the key file of signer@fleet.iam.gserviceaccount.com: private_key "))
    }

    private static func impersonate(
        _ service: FakeService, delegates: [String] = [], scopes: [String] = ["a"]
    ) async throws(AccessTokenError) -> AccessToken {
        guard let url = try? OutgoingURL(TestFile.impersonation) else { throw AccessTokenError("no URL") }
        let source = AccessToken(value: Secret("canary-source"), expiresAt: now + 9)
        return try await Impersonation.token(
            url, delegates: delegates, scopes: scopes, as: source, in: nil, at: now, by: service.send)
    }

    @Test func `another account's token is asked for with delegates and scopes`() async throws {
        let service = FakeService(
            .ok("{\"accessToken\":\"x\",\"expireTime\":\"2026-01-31T10:04:59.5Z\"}"),
            .ok("{\"accessToken\":\"x\",\"expireTime\":\"9999-01-31T10:04:59Z\"}"))
        let token = try await Self.impersonate(service, delegates: ["x@y", "z@y"], scopes: [cloudPlatform])
        #expect(
            service.seen == [
                .init(
                    method: "POST", url: TestFile.impersonation,
                    fields: ["authorization: Bearer canary-source", "content-type: application/json"],
                    body: "{\"delegates\":[\"x@y\",\"z@y\"],\"scope\":[\"\(cloudPlatform)\"],\"lifetime\":\"3600s\"}")
            ])
        #expect(token.expiresAt == now + 3599 && token.value.value == "x")
        let far = try await Self.impersonate(service)
        #expect(service.seen.last?.body == "{\"scope\":[\"a\"],\"lifetime\":\"3600s\"}")
        #expect(far.expiresAt == now + 43_200)
    }

    @Test(arguments: [
        ("{\"expireTime\":\"2026-01-31T10:05:00Z\"}", "without accessToken; expected a text"),
        ("{\"accessToken\":\"canary\"}", "without expireTime; expected a text"),
        (
            "{\"accessToken\":\"canary\",\"expireTime\":\"2026-01-31T09:05:00Z\"}",
            "with an expireTime in the past; expected a later time (check the clock)"
        ),
        (
            "{\"accessToken\":\"canary\",\"expireTime\":\"soon\"}",
            "with an expireTime that is not a time of RFC 3339 in UTC; expected one"
        ),
        (
            "{\"accessToken\":\"can ary\",\"expireTime\":\"2026-01-31T10:05:00Z\"}",
            "with an accessToken that holds other characters than a token; expected visible ASCII"
        ),
    ])
    func `a broken answer about another account is one sentence`(body: String, problem: String) async throws {
        let service = FakeService(.ok(body))
        let error = try await failure { () throws(AccessTokenError) in try await Self.impersonate(service) }
        #expect(error.sentence == "iamcredentials.googleapis.com:443 answered \(problem)")
    }
}
