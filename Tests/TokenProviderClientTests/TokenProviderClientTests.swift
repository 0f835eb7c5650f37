import Concurrency
import Foundation
import FoundationNetworking
import Testing

@testable import TokenProviderClient

/// The client as an app uses it, with clocks that the tests set and a server in memory.
@Suite(.timeLimit(.minutes(10))) struct TokenProviderClientTests {
    let clock = ManualClock()

    private func client(
        of server: FakeServer, at url: String = "https://tokens.example.com", credentials: CredentialsSource? = nil
    ) throws -> TokenProviderClient {
        TokenProviderClient(
            url: try #require(URL(string: url)), clock: clock.clock, transport: server.transport,
            credentials: credentials)
    }

    @Test func `a thousand callers make one request`() async throws {
        let gate = Gate()
        let server = FakeServer { [clock] _, _ in
            await gate.pass()
            return .token(until: clock.now.wall + 3600, at: clock.now.wall)
        }
        let client = try client(of: server)
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 1...1000 { group.addTask { try await client.token(for: .vehicle("v")).string } }
            try await eventually { server.count > 0 }
            gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(tokens == Array(repeating: "head.body.signature", count: 1000))
        #expect(server.count == 1)
    }

    @Test func `subjects have requests of their own, at the URL's path`() async throws {
        let server = FakeServer(clock)
        let client = try client(of: server, at: "https://tokens.example.com/fleet//")
        for subject in [FleetEngineSubject.trip("a b"), .vehicle("a b"), .deliveryVehicle("a", task: "b")] {
            let token = try await client.token(for: subject)
            #expect(token.kind == subject.kind)
        }
        #expect(
            server.requests.map { $0.url?.absoluteString } == [
                "https://tokens.example.com/fleet/token?tripID=a%20b&format=last_mile",
                "https://tokens.example.com/fleet/token?vehicleID=a%20b&format=last_mile",
                "https://tokens.example.com/fleet/token?deliveryVehicleID=a&taskID=b&format=last_mile",
            ])
        #expect(server.requests.allSatisfy { $0.value(forHTTPHeaderField: "Authorization") == nil })
    }

    @Test func `a cancelled caller ends at once, and the others get the token`() async throws {
        let gate = Gate()
        let server = FakeServer { [clock] _, _ in
            await gate.pass()
            return .token(until: clock.now.wall + 3600, at: clock.now.wall)
        }
        let client = try client(of: server)
        let patient = Task { try await client.token(for: .trip("t")) }
        try await eventually { server.count == 1 }
        let cancelled = Task { try await client.token(for: .trip("t")) }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        gate.open()
        #expect(try await patient.value.string == "head.body.signature")
        #expect(server.count == 1)
    }

    @Test func `a caller that was cancelled before it asked ends, too`() async throws {
        let server = FakeServer { _, _ in
            try await Task.sleep(nanoseconds: .max / 2); throw URLError(.timedOut)
        }
        let client = try client(of: server)
        let started = Gate()
        let caller = Task {
            await started.pass()
            return try await client.token(for: .trip("t"))
        }
        caller.cancel()
        started.open()
        await #expect(throws: CancellationError.self) { try await caller.value }
    }

    @Test func `a used token is renewed in the background`() async throws {
        let server = FakeServer(clock)
        let client = try client(of: server)
        let first = try await client.token(for: .vehicle("v"))
        try await eventually { clock.nextWake != nil }
        clock.advance(by: 3500)
        try await eventually { server.count == 2 }
        try await eventually { (try? await client.token(for: .vehicle("v")))?.string != first.string }
        #expect(server.count == 2)
    }

    @Test func `prefetch makes the request, and the call none`() async throws {
        let server = FakeServer(clock)
        let client = try client(of: server)
        await client.prefetch(.trip("t"))
        try await eventually { server.count == 1 }
        _ = try await client.token(for: .trip("t"))
        #expect(server.count == 1)
    }

    @Test func `invalidate forgets one token, invalidateAll all of them`() async throws {
        let server = FakeServer(clock)
        let client = try client(of: server)
        for subject in [FleetEngineSubject.trip("a"), .trip("b")] { _ = try await client.token(for: subject) }
        await client.invalidate(.trip("a"))
        await client.invalidate(.trip("unknown"))
        for subject in [FleetEngineSubject.trip("a"), .trip("b")] { _ = try await client.token(for: subject) }
        #expect(server.count == 3)
        await client.invalidateAll()
        for subject in [FleetEngineSubject.trip("a"), .trip("b")] { _ = try await client.token(for: subject) }
        #expect(server.count == 5)
    }

    @Test func `the closure is asked again after 401, and told why`() async throws {
        let server = FakeServer { [clock] _, request in
            guard request.value(forHTTPHeaderField: "Authorization") == "Bearer fresh" else {
                return .problem(401, "invalid_credentials")
            }
            return .token(until: clock.now.wall + 3600, at: clock.now.wall)
        }
        let asked = Guarded<[Bool]>([])
        let client = try client(of: server) { wereRefused in
            asked.withLock { $0.append(wereRefused) }
            return wereRefused ? "fresh" : "old"
        }
        _ = try await client.token(for: .trip("t"))
        #expect(asked.withLock { $0 } == [false, true])
    }

    @Test(arguments: ["", "a b", "a\r\nX: y", "\u{E9}"])
    func `malformed credentials are not sent`(text: String) async throws {
        let server = FakeServer(clock)
        let client = try client(of: server) { _ in text }
        await expectError("malformedCredentials", from: client)
        #expect(server.count == 0)
    }

    @Test func `the closure's error ends the call`() async throws {
        struct SignedOut: Error {}
        let server = FakeServer(clock)
        let client = try client(of: server) { _ in throw SignedOut() }
        await expectError("noCredentials", from: client)
        #expect(server.count == 0)
    }

    @Test func `429 for one subject makes the others wait`() async throws {
        let server = FakeServer { [clock] number, _ in
            guard number > 1 else { return .problem(429, "principal_limited", ["Retry-After": "20"]) }
            return .token(until: clock.now.wall + 3600, at: clock.now.wall)
        }
        let client = try client(of: server)
        await expectError("limited principal_limited", from: client, within: 5)
        await expectError("limited principal_limited", .trip("other"), from: client, within: 5)
        #expect(server.count == 1)
        let patient = Task { try await client.token(for: .trip("other")) }
        try await eventually { clock.nextWake == 20 }
        clock.advance(by: 20)
        _ = try await patient.value
    }

    @Test(arguments: [TimeInterval.infinity, 1e300]) func `a caller may wait for ever`(timeout: TimeInterval)
        async throws
    {
        let client = try client(of: FakeServer(clock))
        _ = try await client.token(for: .trip("t"), within: timeout)
    }

    @Test(arguments: [TimeInterval.nan, -1, 0]) func `a caller may not wait at all`(timeout: TimeInterval) async throws
    {
        let client = try client(of: FakeServer(clock))
        await expectError("unreachable -1001", from: client, within: timeout)
    }

    @Test func `a released client ends its requests and timers`() async throws {
        let ended = Gate()
        let server = FakeServer { _, _ in
            defer { ended.open() }
            try await Task.sleep(nanoseconds: .max / 2)
            throw URLError(.timedOut)
        }
        var client: TokenProviderClient? = try client(of: server)
        await client?.prefetch(.trip("t"))
        try await eventually { server.count == 1 && clock.nextWake != nil }
        client = nil
        await ended.pass()
        try await eventually { clock.nextWake == nil }
    }

    /// Every form of initializer, as apps write them.
    @Test func `closures with and without a parameter are distinguished`() throws {
        let url = try #require(URL(string: "https://tokens.example.com"))
        _ = TokenProviderClient(url: url) { try await Self.credentials() }
        _ = TokenProviderClient(url: url) {
            let text = try await Self.credentials()
            return text
        }
        _ = TokenProviderClient(url: url) { wereRefused in wereRefused ? "a" : try await Self.credentials() }
        _ = TokenProviderClient(url: url)
    }

    private static func credentials() async throws -> String { "credentials" }

    private func expectError(
        _ name: String, _ subject: FleetEngineSubject = .trip("t"), from client: TokenProviderClient,
        within timeout: TimeInterval = 30
    ) async {
        let error = await #expect(throws: TokenProviderError.self) {
            try await client.token(for: subject, within: timeout)
        }
        #expect(error?.name == name)
    }
}
