import HTTPClient
import TestSupport
import Testing

@testable import HTTPServerSupport

@testable import ServiceConfiguration
@testable import TokenService

/// Fetching an issuer's keys from a provider on loopback.
@Suite struct KeySetFetcherTests {
    private let provider: StubProvider
    private let client: OutgoingClient
    private let keys: String

    init() throws {
        provider = try StubProvider()
        client = try OutgoingClient(HTTPClientSettings())
        keys = try ProviderKey().set()
    }

    private func fetch(_ source: KeySetFetcher.Source) async -> Result<FetchedKeySet, KeySetFetchError> {
        let fetcher = KeySetFetcher(issuer: provider.url, algorithms: [.rs256], source: source, client: client)
        return await withCheckedContinuation { continuation in fetcher.fetch { continuation.resume(returning: $0) } }
    }

    private func discover() async throws -> Result<FetchedKeySet, KeySetFetchError> {
        await fetch(.metadata(try OutgoingURL("\(provider.url)/.well-known/openid-configuration")))
    }

    private func fetchKeys() async throws -> Result<FetchedKeySet, KeySetFetchError> {
        await fetch(.keys(try OutgoingURL("\(provider.url)/keys")))
    }

    private func sentence(_ result: Result<FetchedKeySet, KeySetFetchError>) -> String? {
        guard case .failure(let error) = result else { return nil }
        return error.sentence
    }

    @Test func `a fetched key set includes its bytes and cache lifetime`() async throws {
        provider.answer("/keys", keys, fields: [(name: "Cache-Control", value: "max-age=120")])
        let fetched = try await fetchKeys().get()
        #expect(fetched.keys.keys.map(\.keyID) == ["k1"])
        #expect(fetched.bytes == Array(keys.utf8))
        #expect(fetched.age == 120)
        provider.answer("/keys", keys)
        #expect(try await fetchKeys().get().age == nil)
    }

    @Test func `discovery fetches keys from the jwks_uri in the metadata`() async throws {
        provider.answerMetadata(#""issuer":"\#(provider.url)","jwks_uri":"\#(provider.url)/keys","other":1"#)
        provider.answer("/keys", keys)
        #expect(try await discover().get().keys.keys.count == 1)
        #expect(provider.asked("/keys") == 1)
    }

    @Test(arguments: [
        (
            #""issuer":"URL/","jwks_uri":"URL/keys""#,
            #"the issuer's metadata is for another issuer: issuer is "URL/", expected "URL" (remove the last slash)"#
        ),
        (
            #""issuer":"https://other.example","jwks_uri":"URL/keys""#,
            #"the issuer's metadata is for another issuer: issuer is "https://other.example", expected "URL""#
        ),
        (
            #""issuer":["URL"],"jwks_uri":"URL/keys""#,
            #"the issuer's metadata is for another issuer: issuer is ["URL"], expected "URL""#
        ),
        (
            #""jwks_uri":"URL/keys""#,
            #"the issuer's metadata is for another issuer: issuer is missing, expected "URL""#
        ),
        (#""issuer":"URL""#, "the issuer's metadata has no jwks_uri"),
        (#""issuer":"URL","jwks_uri":{"a":"URL/keys"}"#, "the issuer's metadata has no jwks_uri"),
        (
            #""issuer":"URL","jwks_uri":"http://192.0.2.1/keys""#,
            "the issuer's jwks_uri is plain http to another machine; expected https://HOST[:PORT][/PATH], or http:// to "
                + "localhost, 127.0.0.0/8 or [::1]"
        ),
        (
            #""issuer":"URL","jwks_uri":"file:///keys""#,
            "the issuer's jwks_uri begins neither with https:// nor with http://; expected https://HOST[:PORT][/PATH], "
                + "or http:// to localhost, 127.0.0.0/8 or [::1]"
        ),
        (#""issuer":"URL","issuer":"URL","jwks_uri":"URL/keys""#, "the issuer's metadata is not a JSON object"),
        ("nonsense", "the issuer's metadata is not a JSON object"),
    ])
    func `invalid issuer metadata is refused, and no keys are fetched`(members: String, expected: String) async throws {
        provider.answer("/keys", keys)
        provider.answerMetadata(members.replacing("URL", with: provider.url))
        #expect(sentence(try await discover()) == expected.replacing("URL", with: provider.url))
        #expect(provider.asked("/keys") == 0)
    }

    @Test func `a response with a status other than 200 is refused`() async throws {
        let endpoint = provider.url.dropFirst("http://".count)
        #expect(sentence(try await fetchKeys()) == "\(endpoint) answered with the status 404; expected 200")
        provider.answer("/keys", keys, status: .internalServerError)
        #expect(sentence(try await fetchKeys()) == "\(endpoint) answered with the status 500; expected 200")
        #expect(sentence(try await discover()) == "\(endpoint) answered with the status 404; expected 200")
    }

    @Test(arguments: [
        ("{\"keys\":[]}", "the issuer's key set has no key that can verify; expected at least one"),
        (
            "{\"keys\":[{\"kty\":\"oct\",\"k\":\"c2VjcmV0\"},7]}",
            "the issuer's key set has no key that can verify; expected at least one; key 1 of the set has kty other "
                + "than RSA, EC or OKP; key 2 of the set has no members"
        ),
        (
            "{\"keys\":[1,2,3,4,5,6,7]}",
            "the issuer's key set has no key that can verify; expected at least one; key 1 of the set has no members; "
                + "key 2 of the set has no members; key 3 of the set has no members; key 4 of the set has no members; "
                + "key 5 of the set has no members; key 6 of the set has no members; key 7 of the set has no members"
        ),
        (
            "{}",
            "the issuer's key set is invalid: the JSON is not a key; expected a JWK set, an object with the array \"keys\""
        ),
    ])
    func `a key set without a usable key is refused`(set: String, expected: String) async throws {
        provider.answer("/keys", set)
        #expect(sentence(try await fetchKeys()) == expected)
    }

    @Test func `Expires sets the lifetime of a key set without max-age`() async throws {
        let fields = [
            (name: "Expires", value: "Sun, 06 Nov 1994 08:49:37 GMT"),
            (name: "Cache-Control", value: "public"),
        ]
        provider.answer("/keys", keys, fields: fields)
        #expect(try await fetchKeys().get().age == 0)
    }

    @Test func `a key set that is malformed or too long is refused`() async throws {
        provider.answer("/keys", "<html>canary</html>")
        let sentence = try #require(sentence(try await fetchKeys()))
        #expect(sentence.hasPrefix("the issuer's key set is invalid: "))
        #expect(!sentence.contains("canary"))
        provider.answer("/keys", String(repeating: " ", count: 512 << 10) + keys)
        #expect(self.sentence(try await fetchKeys())?.contains("524288") == true)
    }

    @Test func `an unreachable provider is reported by its address`() async throws {
        let url = try OutgoingURL("http://127.0.0.1:1/keys")
        let error = sentence(await fetch(.keys(url)))
        #expect(error?.hasPrefix("127.0.0.1:1 ") == true)
    }
}
