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

    @Test func `a token is asked for with its scopes and the flavour`() throws {
        let request = try server.tokenRequest(scopes: [cloudPlatform, "b"], at: now)
        #expect(
            FakeService.Seen(request.request)
                == .init(
                    method: "GET",
                    url: root + "token?scopes=https%3A%2F%2Fwww.googleapis.com%2Fauth%2Fcloud-platform%2Cb",
                    fields: ["metadata-flavor: Google"]))
        #expect(request.request.limits.connectTimeout == .seconds(1))
        #expect(try FakeService.Seen(server.tokenRequest(scopes: [], at: now).request).url == root + "token")
        let body = "{\"access_token\":\"x\",\"expires_in\":3599,\"token_type\":\"Bearer\"}"
        #expect(try result(request, .ok(body, flavor)).get().expiresAt == now + 3599)
    }

    @Test func `an answer without the flavour is refused, whatever its status is`() throws {
        for answer in [FakeService.Answer.ok("{\"access_token\":\"canary\"}"), .status(404, "canary")] {
            let error = try failure(server.tokenRequest(scopes: [], at: now), answer)
            #expect(
                error.sentence
                    == "metadata.google.internal:80 answered without Metadata-Flavor: Google; "
                    + "expected Google's metadata server")
        }
        let other = try HTTPClientField("Metadata-Flavor", "google")
        #expect(throws: AccessTokenError.self) { try result(server.emailRequest(), .ok("a@b", [other])).get() }
    }

    @Test func `the e-mail address of the default account is read`() throws {
        let request = try server.emailRequest()
        #expect(
            FakeService.Seen(request.request)
                == .init(method: "GET", url: root + "email", fields: ["metadata-flavor: Google"]))
        #expect(
            try result(request, .ok("a@b.iam.gserviceaccount.com\n", flavor)).get() == "a@b.iam.gserviceaccount.com")
    }

    @Test func `a text that may be cut off is an outage, unlike JSON`() throws {
        let error = try failure(server.emailRequest(), .unframed("a@b.iam.gserviceaccount.com", flavor))
        #expect(
            error.sentence
                == "metadata.google.internal:80 answered with a text that may be cut off; expected Content-Length or chunks"
        )
        #expect(error.isTransient)
        let token = "{\"access_token\":\"x\",\"expires_in\":3599,\"token_type\":\"Bearer\"}"
        let request = try server.tokenRequest(scopes: [], at: now)
        #expect(try result(request, .unframed(token, flavor)).get().expiresAt == now + 3599)
        #expect(try !failure(request, .unframed(String(token.dropLast()), flavor)).sentence.isEmpty)
    }

    @Test(arguments: ["fleet.svc.id.goog", "a@", "@b", "a@b@c", "a b@c", "a@b\nc", "<html>"])
    func `something other than an e-mail address is refused`(body: String) throws {
        #expect(
            try failure(server.emailRequest(), .ok(body, flavor)).sentence
                == "metadata.google.internal:80 answered with something other than an e-mail address; expected NAME@DOMAIN"
        )
    }

    @Test func `presence is asked at an address, for a second at most`() throws {
        let request = try server.presenceRequest()
        #expect(
            FakeService.Seen(request.request)
                == .init(method: "GET", url: "http://169.254.169.254/", fields: ["metadata-flavor: Google"]))
        #expect(request.request.limits.totalTimeout == .seconds(1))
        #expect(throws: Never.self) { try result(request, .ok("", flavor)).get() }
        #expect(throws: Never.self) { try result(request, .status(404, flavor, [])).get() }
        #expect(throws: AccessTokenError.self) { try result(request, .ok("")).get() }
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

    @Test func `the environment names another host and another address`() throws {
        let both = try MetadataServer(environment: ["GCE_METADATA_HOST": "md.test:81", "GCE_METADATA_IP": "10.0.0.9"])
        #expect(both.host == "md.test:81" && both.presenceHost == "10.0.0.9")
        #expect(try both.emailRequest().request.url.endpoint == "md.test:81")
        #expect(try both.presenceRequest().request.url.endpoint == "10.0.0.9:80")
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
