import Concurrency
import HTTPClient
import Testing

@testable import HTTP2Client
@testable import HTTPClientTests

/// Servers that fail, over a real connection.
struct MultiplexedFaultTests {
    private let certificates: Certificates
    private let certificate: String

    init() throws {
        certificates = try Certificates()
        certificate = try certificates.certificate("DNS:localhost,IP:127.0.0.1")
    }

    private func client(_ server: HTTP2TestServer) throws -> MultiplexedClient {
        TestClient(try server.url(), trusting: certificates.authority).client
    }

    @Test func `a cut answer fails, and the next request connects again`() async throws {
        let server = try HTTP2TestServer(certificate: certificate)
        let client = try client(server)
        guard case .other = try await client.failure(request(server.url(), "cut")) else {
            Issue.record("a cut answer has another cause")
            return
        }
        #expect(try await client.text(request(server.url(), "echo again")) == "again")
    }

    @Test func `a request that a lost connection told nothing of is repeated`() async throws {
        let server = try HTTP2TestServer(certificate: certificate)
        let client = try client(server)
        _ = try await client.text(request(server.url(), "echo"))
        #expect(try await client.text(request(server.url(), "vanish")) == "again")
        #expect(try await server.counts(client)["connections"] == 2)
    }

    @Test func `a request that loses each connection is given up`() async throws {
        let server = try HTTP2TestServer(certificate: certificate)
        let client = try client(server)
        _ = try await client.text(request(server.url(), "echo"))
        guard case .other = try await client.failure(request(server.url(), "vanish always")) else {
            Issue.record("a lost connection has another cause")
            return
        }
        #expect(try await server.counts(client)["requests"] == 4)
    }

    @Test func `a refused request is sent again, but not forever`() async throws {
        let server = try HTTP2TestServer(certificate: certificate)
        let client = try client(server)
        #expect(try await client.text(request(server.url(), "refuse 3")) == "taken")
        let cause = try await client.failure(request(server.url(), "refuse 100"))
        #expect(cause == .other(reason: "the server refused the request again and again"))
    }

    @Test func `a reset request fails alone`() async throws {
        let server = try HTTP2TestServer(certificate: certificate)
        let client = try client(server)
        let cause = try await client.failure(request(server.url(), "reset"))
        #expect(cause == .other(reason: "the stream was reset (INTERNAL_ERROR)"))
        #expect(try await server.counts(client)["connections"] == 1)
    }

    @Test func `requests beyond a farewell go to another connection`() async throws {
        let server = try HTTP2TestServer(certificate: certificate)
        let client = try client(server)
        let first = try request(server.url(), "held")
        async let held = client.text(first)
        // Until the first request is there, the second one must not be sent.
        while try await server.counts(client)["open"] ?? 0 < 2 {}
        #expect(try await client.text(request(server.url(), "goaway")) == "second")
        #expect(try await held == "first")
    }

    @Test func `a request without an answer ends at its deadline`() async throws {
        let server = try HTTP2TestServer(certificate: certificate)
        let client = try client(server)
        _ = try await client.text(request(server.url(), "echo"))
        let limit = Duration.milliseconds(50)
        let cause = try await client.failure(request(server.url(), "silence", connect: limit, total: limit))
        #expect(cause == .timeout(.answering, after: limit))
        // The connection told nothing meanwhile, so it is not used again.
        #expect(try await server.counts(client)["connections"] == 2)
    }

    @Test func `a server that allows one request at a time gets one`() async throws {
        let server = try HTTP2TestServer(certificate: certificate, "streams=1")
        let client = try client(server)
        let asked = try request(server.url(), "echo one")
        let answers = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 { group.addTask { (try? await client.text(asked)) == "one" } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(answers == 20)
        #expect(try #require(try await server.counts(client)["connections"]) <= 8)
    }

    @Test func `a server that allows no requests gets none`() async throws {
        let server = try HTTP2TestServer(certificate: certificate, "streams=0")
        let client = try client(server)
        let limit = Duration.milliseconds(300)
        let cause = try await client.failure(request(server.url(), "echo", connect: limit, total: limit))
        guard case .timeout(_, after: limit) = cause else {
            Issue.record("\(cause)")
            return
        }
    }

    @Test func `a server that breaks the protocol is given up`() async throws {
        let server = try HTTP2TestServer(certificate: certificate, "garbage=1")
        _ = try await client(server).failure(request(server.url(), "echo"))
    }

    @Test func `a request with little time leaves a new connection its own`() async throws {
        let server = try HTTP2TestServer(certificate: certificate, "slow=500")
        let client = try client(server)
        let limit = Duration.milliseconds(50)
        async let late = client.failure(request(server.url(), "echo", connect: limit, total: limit))
        async let other = client.text(request(server.url(), "echo other"))
        #expect(try await other == "other")
        guard case .timeout(_, after: limit) = try await late else {
            Issue.record("the first request had another end")
            return
        }
    }

    @Test func `a server that says nothing is given up in time`() async throws {
        let server = try HTTP2TestServer(certificate: certificate, "silent=1")
        let limit = Duration.milliseconds(100)
        let client = TestClient(try server.url(), trusting: certificates.authority, connectTime: limit).client
        let cause = try await client.failure(request(server.url(), "echo"))
        #expect(cause == .timeout(.securing, after: limit))
    }

    @Test func `a closed port is named`() async throws {
        let url = try OutgoingURL("https://127.0.0.1:1/")
        let client = TestClient(url, trusting: certificates.authority).client
        #expect(try await client.failure(request(url, "echo")) == .cannotConnect(reason: "Connection refused"))
    }

    @Test func `a name without an address is named`() async throws {
        let url = try OutgoingURL("https://name.invalid/")
        let client = TestClient(url, trusting: certificates.authority).client
        #expect(try await client.failure(request(url, "echo")) == .unresolved)
    }

    @Test func `a client that ends fails its requests`() async throws {
        let server = try HTTP2TestServer(certificate: certificate)
        let client = try client(server)
        let silent = try request(server.url(), "silence")
        async let cause = client.failure(silent)
        while try await server.counts(client)["open"] ?? 0 < 2 {}
        client.shutdown()
        #expect(try await cause == .shutDown)
    }

    @Test func `a client that ends while it connects fails its requests`() async throws {
        let listener = try SilentListener()
        let url = try OutgoingURL("https://127.0.0.1:\(listener.port)/")
        let client = TestClient(url, trusting: certificates.authority).client
        let echo = try request(url, "echo")
        let result = await withCheckedContinuation { done in
            client.send(echo) { result in { done.resume(returning: result) } }
            listener.waitForArrival()
            client.shutdown()
        }
        guard case .failure(let error) = result else {
            Issue.record("the request was answered")
            return
        }
        #expect(error.cause == .shutDown)
    }

    @Test func `results that come together are received before one is followed`() async throws {
        let server = try HTTP2TestServer(certificate: certificate)
        let client = try client(server)
        let silent = try request(server.url(), "silence")
        let steps = Guarded<[String]>([])
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            for _ in 0..<3 {
                client.send(silent) { _ in
                    steps.withLock { $0.append("received") }
                    return {
                        let count = steps.withLock { steps in
                            steps.append("followed")
                            return steps.count
                        }
                        if count == 6 { done.resume() }
                    }
                }
            }
            client.shutdown()
        }
        #expect(steps.withLock { $0 } == ["received", "received", "received", "followed", "followed", "followed"])
    }
}

/// Which servers are trusted, and which protocol they must speak.
struct MultiplexedTrustTests {
    private let certificates: Certificates

    init() throws { certificates = try Certificates() }

    private func refusal(_ names: String?, days: Int = 1, trusting authorities: String) async throws -> String {
        let server = try HTTP2TestServer(certificate: certificates.certificate(names, days: days))
        let url = try server.url(host: "localhost")
        let made = TestClient(url, trusting: authorities)
        let cause = try await made.client.failure(request(url, "echo"))
        #expect(made.others.count == 0)
        guard case .tls(let reason) = cause else { return "\(cause)" }
        return reason
    }

    @Test func `a certificate from an untrusted authority is refused`() async throws {
        let others = try Certificates()
        let reason = try await refusal("DNS:localhost", trusting: others.authority)
        #expect(reason == "SSL certificate problem: unable to get local issuer certificate")
    }

    @Test(arguments: ["DNS:other.test,IP:127.0.0.1", "DNS:*.localhost", nil])
    func `a certificate for another host is refused`(names: String?) async throws {
        let reason = try await refusal(names, trusting: certificates.authority)
        #expect(reason == "SSL certificate problem: hostname mismatch")
    }

    @Test func `an address needs a certificate for it`() async throws {
        let server = try HTTP2TestServer(certificate: certificates.certificate("DNS:127.0.0.1,DNS:localhost"))
        let client = TestClient(try server.url(), trusting: certificates.authority).client
        let cause = try await client.failure(request(server.url(), "echo"))
        #expect(cause == .tls(reason: "SSL certificate problem: IP address mismatch"))
    }

    @Test func `an expired certificate is refused`() async throws {
        let reason = try await refusal("DNS:localhost", days: -1, trusting: certificates.authority)
        #expect(reason == "SSL certificate problem: certificate has expired")
    }

    @Test func `a server of HTTP 1.1 is left to the other client`() async throws {
        let server = try HTTP2TestServer(certificate: certificates.certificate("IP:127.0.0.1"), "alpn=http/1.1")
        let made = TestClient(try server.url(), trusting: certificates.authority)
        for count in 1...3 {
            #expect(try await made.client.send(request(server.url(), "echo")).get().status == 299)
            #expect(made.others.count == count)
        }
    }

    @Test func `without readable authorities all is left to the other client`() async throws {
        let server = try HTTP2TestServer(certificate: certificates.certificate("IP:127.0.0.1"))
        let made = TestClient(try server.url(), trusting: certificates.authority + ".missing")
        #expect(try await made.client.send(request(server.url(), "echo")).get().status == 299)
        #expect(made.others.count == 1)
    }
}
