import HTTPClient
import Testing

@testable import HTTP2Client
@testable import HTTPClientTests

/// Requests and answers over a real connection.
struct MultiplexedAnswerTests {
    private let certificates: Certificates
    private let server: HTTP2TestServer
    private let made: TestClient

    private var client: MultiplexedClient { made.client }

    init() throws {
        certificates = try Certificates()
        server = try HTTP2TestServer(certificate: certificates.certificate("DNS:localhost,IP:127.0.0.1"))
        made = TestClient(try server.url(), trusting: certificates.authority)
    }

    @Test func `a request is answered with status, fields and body`() async throws {
        let answer = try await client.send(request(server.url(), "echo hello")).get()
        #expect(answer.status == 200)
        #expect(answer.body == Array("hello".utf8))
        #expect(answer.values(of: "content-type") == ["text/plain"])
        #expect(made.others.count == 0)
    }

    @Test func `a server is accepted by each name of its certificate`() async throws {
        let client = TestClient(try server.url(host: "localhost"), trusting: certificates.authority).client
        #expect(try await client.text(request(server.url(host: "localhost"), "echo named")) == "named")
    }

    @Test func `a status that is no success is an answer`() async throws {
        #expect(try await client.send(request(server.url(), "status 503")).get().status == 503)
    }

    @Test func `requests at the same time share one connection`() async throws {
        let asked = try request(server.url(), "many 100")
        let answers = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 { group.addTask { (try? await client.text(asked)) == "done" } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(answers == 100)
        let counts = try await server.counts(client)
        #expect(counts["connections"] == 1)
        #expect(counts["most"] == 100)
    }

    @Test func `only the last answer's fields count`() async throws {
        let answer = try await client.send(request(server.url(), "interim")).get()
        #expect(answer.values(of: "x-final") == ["1"])
        #expect(answer.values(of: "x-early").isEmpty)
    }

    @Test func `a body within the limit is taken whole`() async throws {
        let answer = try await client.send(request(server.url(), "bytes 200000", maxBodyBytes: 200_000)).get()
        #expect(answer.body == [UInt8](repeating: UInt8(ascii: "x"), count: 200_000))
    }

    @Test func `a body or fields beyond the limit end the request alone`() async throws {
        let body = try await client.failure(request(server.url(), "bytes 200001", maxBodyBytes: 200_000))
        #expect(body == .tooLarge(part: "a body", limit: 200_000))
        let fields = try await client.failure(request(server.url(), "fields 5500"))
        #expect(fields != .shutDown)
        #expect(try await client.text(request(server.url(), "echo still")) == "still")
    }

    @Test func `a redirect of a post is an error`() async throws {
        let cause = try await client.failure(request(server.url(), "redirect"))
        #expect(cause == .redirect(reason: "only a GET is redirected"))
    }

    @Test func `requests to other servers go to the other client`() async throws {
        let (another, plain) = (
            try OutgoingURL("https://127.0.0.1:1/"), try OutgoingURL("http://127.0.0.1:\(server.port)/")
        )
        for url in [another, plain] {
            #expect(try await client.send(request(url, "echo")).get().status == 299)
        }
        #expect(made.others.count == 2)
    }
}
