import Testing

@testable import HTTPClient

/// Limits on concurrent connections and requests, over real connections.
struct ConnectionTests {
    private let server: TestServer

    init() throws { server = try TestServer() }

    @Test func `one connection serves requests one after another`() async throws {
        let requests = try [HTTPClientRequest](repeating: request(server.url("bytes?count=1")), count: 20)
        let results = try await client().send(inTurn: requests + [request(server.url("counts"))])
        let counts = try TestServer.counts(try #require(results.last).get())
        #expect(counts["connections"] == 1)
        #expect(counts["requests"] == 21)
    }

    @Test func `200 concurrent requests share all 4 connections`() async throws {
        let client = try client(connections: 4)
        let url = try server.url("four")
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<200 { group.addTask { try await client.send(request(url)).get().status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == [Int](repeating: 200, count: 200))
        let counts = try await server.counts(client)
        #expect(counts["connections"] == 4)
        #expect(counts["most"] == 4)
    }

    @Test func `a silent host leaves connections for other hosts`() async throws {
        let client = try client(connections: 2, perHost: 1)
        let silence = try request(server.url("silence"))
        async let first = client.send(silence)
        async let second = client.send(silence)
        let other = try TestServer()
        #expect(try await client.send(request(other.url("bytes?count=1"))).get().status == 200)
        client.shutdown()
        for result in await [first, second] { #expect(throws: HTTPClientError.self) { try result.get() } }
    }

    @Test func `a request that waits too long for a connection times out`() async throws {
        let client = try client(connections: 1)
        let silence = try request(server.url("silence"))
        client.send(silence) { _ in }
        let limit = Duration.milliseconds(200)
        let error = try await client.failure(request(server.url("bytes?count=1&canary"), connect: limit, total: limit))
        #expect(error.cause == .timeout(.waiting, after: limit))
    }

    @Test(arguments: [(0, HTTPClientError.Phase.answering), (70, .late)])
    func `a request without an answer in time says whether it had waited`(
        seconds: Int, phase: HTTPClientError.Phase
    ) throws {
        try CurlLibrary.require()
        let pending = PendingRequest(try request(server.url("silence")), at: .now - .seconds(seconds)) { _ in }
        #expect(try Transfer(pending, HTTPClientSettings()).expiry == .timeout(phase, after: .seconds(600)))
    }

    @Test func `requests beyond the waiting limit are refused at once`() async throws {
        let client = try client(connections: 1, waiting: 5)
        let silence = try request(server.url("silence?canary"), total: .seconds(600))
        client.send(silence) { _ in }
        try await waitUntilRequested()
        let causes = await withTaskGroup(of: HTTPClientError.Cause?.self) { group in
            for _ in 0..<50 { group.addTask { try? await client.failure(silence).cause } }
            var causes: [HTTPClientError.Cause?] = []
            // Five requests wait; the others are refused before any of those ends.
            for await cause in group {
                causes.append(cause)
                if causes.count == 45 { client.shutdown() }
            }
            return causes
        }
        #expect(causes.prefix(45).allSatisfy { $0 == .busy(waiting: 5) })
        #expect(causes.suffix(5).allSatisfy { $0 == .shutDown })
    }

    /// Returns once the server handles another request besides the one that asks for its counts.
    private func waitUntilRequested() async throws {
        let observer = try client()
        let began = ContinuousClock.now
        while try await server.counts(observer)["now"] != 2 {
            try #require(began.duration(to: .now) < .seconds(600))
        }
    }

    @Test func `a shutdown fails active, waiting and later requests`() async throws {
        let client = try client(connections: 1)
        let silence = try request(server.url("silence?canary"))
        async let results = withTaskGroup(of: HTTPClientError.Cause?.self) { group in
            for _ in 0..<10 { group.addTask { try? await client.failure(silence).cause } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        // Some requests may come after the shutdown; they fail too.
        client.shutdown()
        #expect(await results == [HTTPClientError.Cause?](repeating: .shutDown, count: 10))
        #expect(try await client.failure(silence).cause == .shutDown)
    }

    @Test func `a client ends when it is released, used or not`() async throws {
        _ = try client()
        let silence = try request(server.url("silence"))
        let result = await withCheckedContinuation { continuation in
            do {
                try client().send(silence) { continuation.resume(returning: $0) }
            } catch {
                Issue.record(error)
            }
        }
        #expect(throws: HTTPClientError(endpoint: silence.url.endpoint, cause: .shutDown)) { try result.get() }
    }

    @Test func `the client reconnects after the server closes a keep-alive connection`() async throws {
        let client = try client()
        for _ in 0..<5 { _ = try await client.send(request(server.url("interim"))).get() }
        #expect(try await server.counts(client)["connections"] == 6)
    }
}
