import Testing

@testable import GoogleCredentials
@testable import HTTPClient

struct MetadataServerTests {
    private let server: MetadataServer
    private let flavor: [HTTPClientField]
    private let root = "http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/"

    init() throws {
        server = try MetadataServer(environment: [:])
        flavor = [try HTTPClientField("Metadata-Flavor", "Google")]
    }

    /// What a server of Google's is asked, and answers after it has said that it is there.
    private func service(_ answer: FakeService.Answer) -> FakeService { FakeService(.ok("", flavor), answer) }

    private func token(_ answer: FakeService.Answer) async throws(AccessTokenError) -> AccessToken {
        try await MetadataServer(environment: [:]).token([], clock: { now }, service(answer).send)
    }

    private func emailFailure(_ answer: FakeService.Answer) async throws -> AccessTokenError {
        try await failure { () throws(AccessTokenError) in
            try await MetadataServer(environment: [:]).email(service(answer).send)
        }
    }

    @Test func `a token is asked for with its scopes and the flavour`() async throws {
        let service = service(.ok("{\"access_token\":\"x\",\"expires_in\":3599,\"token_type\":\"Bearer\"}", flavor))
        let token = try await server.token([cloudPlatform, "b"], clock: { now }, service.send)
        #expect(token.expiresAt == now + 3599)
        #expect(
            service.seen.last
                == .init(
                    method: "GET",
                    url: root + "token?scopes=https%3A%2F%2Fwww.googleapis.com%2Fauth%2Fcloud-platform%2Cb",
                    fields: ["metadata-flavor: Google"]))
        #expect(service.requests.last?.limits.connectTimeout == .seconds(1))
        _ = try? await server.token([], clock: { now }, service.send)
        #expect(service.seen.last?.url == root + "token")
    }

    @Test func `an answer without the flavour is refused, whatever its status is`() async throws {
        for answer in [FakeService.Answer.ok("{\"access_token\":\"canary\"}"), .status(404, "canary")] {
            let error = try await failure { () throws(AccessTokenError) in try await token(answer) }
            #expect(
                error.sentence
                    == "metadata.google.internal:80 answered without Metadata-Flavor: Google; "
                    + "expected Google's metadata server")
        }
        let other = try HTTPClientField("Metadata-Flavor", "google")
        _ = try await emailFailure(.ok("a@b.iam.gserviceaccount.com", [other]))
    }

    @Test func `the e-mail address of the default account is read`() async throws {
        let service = service(.ok("a@b.iam.gserviceaccount.com\n", flavor))
        #expect(try await server.email(service.send) == "a@b.iam.gserviceaccount.com")
        #expect(
            service.seen.last == .init(method: "GET", url: root + "email", fields: ["metadata-flavor: Google"]))
    }

    @Test func `a text that may be cut off is an outage, unlike JSON`() async throws {
        let error = try await emailFailure(.unframed("a@b.iam.gserviceaccount.com", flavor))
        #expect(
            error.sentence
                == "metadata.google.internal:80 answered with a text that may be cut off; expected Content-Length or chunks"
        )
        #expect(error.isTransient)
        let json = "{\"access_token\":\"x\",\"expires_in\":3599,\"token_type\":\"Bearer\"}"
        #expect(try await token(.unframed(json, flavor)).expiresAt == now + 3599)
        _ = try await failure { () throws(AccessTokenError) in
            try await token(.unframed(String(json.dropLast()), flavor))
        }
    }

    @Test(arguments: ["fleet.svc.id.goog", "a@", "@b", "a@b@c", "a b@c", "a@b\nc", "<html>"])
    func `something other than an e-mail address is refused`(body: String) async throws {
        #expect(
            try await emailFailure(.ok(body, flavor)).sentence
                == "metadata.google.internal:80 answered with something other than an e-mail address; expected NAME@DOMAIN"
        )
    }

    @Test func `presence is asked at an address, for a second at most`() async throws {
        for (answer, isPresent) in [
            (FakeService.Answer.ok(""), false), (.failure(.unresolved), false), (.status(404, flavor, []), true),
        ] {
            let service = FakeService(answer)
            let found = await server.absence(service.send) == nil
            #expect(found == isPresent)
            #expect(
                service.seen
                    == [.init(method: "GET", url: "http://169.254.169.254/", fields: ["metadata-flavor: Google"])])
            #expect(service.requests[0].limits.totalTimeout == .seconds(1))
        }
        let isKnown = await server.absence(FakeService().send) == nil
        #expect(isKnown)
    }

    @Test func `an account is asked for after presence alone`() async throws {
        let service = FakeService(
            .failure(.unresolved), .ok("", flavor), .ok("a@b.iam.gserviceaccount.com", flavor),
            .ok("a@b.iam.gserviceaccount.com", flavor))
        await #expect(throws: AccessTokenError.self) { try await server.email(service.send) }
        for _ in 0..<2 { #expect(try await server.email(service.send) == "a@b.iam.gserviceaccount.com") }
        let (presence, email) = ("http://169.254.169.254/", root + "email")
        #expect(service.seen.map(\.url) == [presence, presence, email, email])
    }

    @Test func `the environment names another host and another address`() async throws {
        let both = try MetadataServer(environment: ["GCE_METADATA_HOST": "md.test:81", "GCE_METADATA_IP": "10.0.0.9"])
        #expect(both.host == "md.test:81" && both.presenceHost == "10.0.0.9")
        let service = service(.ok("a@b.iam.gserviceaccount.com", flavor))
        _ = try await both.email(service.send)
        #expect(service.requests.map(\.url.endpoint) == ["10.0.0.9:80", "md.test:81"])
        let host = try MetadataServer(environment: ["GCE_METADATA_HOST": "127.0.0.1:81", "GCE_METADATA_IP": ""])
        #expect(host.presenceHost == "127.0.0.1:81")
    }

    @Test(arguments: ["a b", "a/b", "a?b", "user@host", "host:0", "host:x", "-", "[::1"])
    func `a variable that is not a host is refused`(value: String) {
        let error = #expect(throws: AccessTokenError.self) {
            try MetadataServer(environment: ["GCE_METADATA_HOST": value])
        }
        #expect(error?.sentence == "GCE_METADATA_HOST is not a host; expected HOST or HOST:PORT")
    }
}
