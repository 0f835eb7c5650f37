import Glibc
import TestSupport
import Testing

@testable import HTTPClient

/// Requests that share connections of HTTP/2, and servers that fail, over real connections. libcurl uses no connection again that was
/// idle for two minutes.
@Suite(.prompt) struct HTTP2Tests {
    /// They remove their files when they are released.
    private let certificates: Certificates
    private let certificate: String
    private let client: OutgoingClient

    init() throws {
        certificates = try Certificates()
        certificate = try certificates.certificate("IP:127.0.0.1")
        client = try HTTPClientTests.client(requests: 64, authorities: certificates.authority)
    }

    private func server(_ settings: String...) throws -> HTTP2TestServer {
        try HTTP2TestServer(certificate: certificate, settings)
    }

    private func text(_ request: HTTPClientRequest) async throws -> String {
        String(decoding: try await client.send(request).get().body.selfDelimiting, as: UTF8.self)
    }

    /// How many of these requests at the same time get this answer.
    private func answers(_ count: Int, to request: HTTPClientRequest, are text: String) async -> Int {
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<count { group.addTask { (try? await self.text(request)) == text } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
    }

    @Test func `a request is answered with status, fields and body`() async throws {
        let server = try server()
        let answer = try await client.send(server.request("echo hello")).get()
        #expect(answer.status == 200 && answer.body == HTTPClientBody(Array("hello".utf8), isProven: false))
        #expect(answer.values(of: "content-type") == ["text/plain"])
    }

    @Test func `requests at the same time share one connection`() async throws {
        let server = try server()
        // The first one learns what the server speaks, and for it the others would wait.
        #expect(try await text(server.request("echo first")) == "first")
        #expect(await answers(64, to: try server.request("many 64"), are: "done") == 64)
        let counts = try await server.counts(client)
        #expect(counts["connections"] == 1)
        #expect(counts["most"] == 64)
    }

    /// Not all are answered: libcurl 7.88 may leave a request waiting for a place until its deadline.
    @Test func `a server that allows one request at a time gets one`() async throws {
        let server = try server("streams=1")
        let request = try server.request("echo one", limit: .seconds(5))
        #expect(await answers(20, to: request, are: "one") > 0)
        let counts = try await server.counts(client)
        #expect(try #require(counts["connections"]) <= 8)
    }

    @Test func `only the last answer's fields count`() async throws {
        let server = try server()
        let answer = try await client.send(server.request("interim")).get()
        #expect(answer.values(of: "x-final") == ["1"])
        #expect(answer.values(of: "x-early").isEmpty)
    }

    @Test func `a body beyond the limit ends the request alone`() async throws {
        let server = try server()
        let whole = try await client.send(server.request("bytes 200000", maxBodyBytes: 200_000)).get()
        #expect(whole.body.selfDelimiting.count == 200_000)
        let cause = try await client.failure(server.request("bytes 200001", maxBodyBytes: 200_000)).cause
        #expect(cause == .tooLarge(part: "a body", limit: 200_000))
        #expect(try await text(server.request("echo still")) == "still")
    }

    @Test(arguments: ["cut", "vanish", "goaway"])
    func `a request fails with its connection, and the next one connects again`(end: String) async throws {
        let server = try server()
        _ = try await text(server.request("echo"))
        let cause = try await client.failure(server.request(end)).cause
        guard case .other = cause else {
            Issue.record("\(cause)")
            return
        }
        #expect(try await text(server.request("echo again")) == "again")
        #expect(try await server.counts(client)["connections"] == 2)
    }

    @Test func `a refused request is sent again, but not forever`() async throws {
        let server = try server()
        #expect(try await text(server.request("refuse 3")) == "taken")
        _ = try await client.failure(server.request("refuse 100"))
    }

    @Test func `a reset request fails alone`() async throws {
        let server = try server()
        _ = try await client.failure(server.request("reset"))
        #expect(try await server.counts(client)["connections"] == 1)
    }

    @Test func `an answer that the server resets is not proven whole`() async throws {
        let server = try server()
        // An error too, if the reset is read before the header was handed over.
        let answer = try? await client.send(server.request("ended")).get()
        #expect(answer?.body.whole == nil)
    }

    @Test func `HTTP 2 is left out where requests share no connection`() async throws {
        let server = try server()
        let client = try HTTPClientTests.client(authorities: certificates.authority)
        let answer = try await client.send(server.request("echo")).get()
        #expect(answer.body.whole == Array("old".utf8))
    }

    @Test func `requests after a farewell go to another connection`() async throws {
        let server = try server()
        #expect(try await text(server.request("farewell")) == "last")
        for count in 2...3 { #expect(try await text(server.request("echo \(count)")) == "\(count)") }
        #expect(try await server.counts(client)["connections"] == 2)
    }

    @Test func `a request without an answer ends at its deadline alone`() async throws {
        let server = try server()
        // Long enough that a busy machine is not late itself.
        let limit = Duration.seconds(3)
        _ = try await text(server.request("echo"))
        let cause = try await client.failure(server.request("silence", limit: limit)).cause
        #expect(cause == .timeout(.answering, after: limit))
        #expect(try await text(server.request("echo still")) == "still")
    }

    @Test func `a server that breaks the protocol is given up`() async throws {
        let server = try server("garbage=1")
        _ = try await client.failure(server.request("echo"))
    }

    @Test func `requests to a server of HTTP 1.1 are answered`() async throws {
        let server = try server("alpn=http/1.1")
        for _ in 0..<3 { #expect(try await text(server.request("echo")) == "old") }
    }

    @Test func `the kernel closes a connection whose peer is gone`() async throws {
        let server = try server()
        _ = try await text(server.request("echo"))
        let limits = (0..<1024).compactMap { silenceLimit(of: $0, to: UInt16(server.port)) }
        #expect(limits == [UInt32(CurlEasy.silenceLimit.wholeMilliseconds)])
    }

    /// TCP_USER_TIMEOUT of a connection to this port; nil for any other descriptor.
    private func silenceLimit(of descriptor: Int32, to port: UInt16) -> UInt32? {
        var (address, length) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
        }
        guard result == 0, address.sin_port == port.bigEndian else { return nil }
        var (limit, size) = (UInt32(0), socklen_t(MemoryLayout<UInt32>.size))
        guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &limit, &size) == 0 else { return nil }
        return limit
    }
}
