import FleetEngineToken
import Testing

@testable import GoogleCredentials

struct SigningGovernorTests {
    private let changes = TestLog<CircuitBreaker.Change>()

    private func governor(perMinute: Int = 70_000, maxInFlight: Int = 4) -> SigningGovernor {
        SigningGovernor(
            SigningQuota(signaturesPerMinute: perMinute, share: 1, at: .zero), maxInFlight: maxInFlight,
            report: { [changes] in changes.add($1) })
    }

    @Test func `refreshes leave a quarter of the places to requests`() throws {
        let governor = governor()
        for _ in 0..<3 { try governor.enter(.refresh, for: "a") }
        #expect(throws: RemoteSigningError.self) { try governor.enter(.refresh, for: "a") }
        try governor.enter(.request, for: "a")
        let error = #expect(throws: RemoteSigningError.self) { try governor.enter(.request, for: "a") }
        #expect(error?.retryAfter == 1)
        #expect(governor.figures(at: .zero).inFlight == 4)
        #expect(governor.figures(at: .zero).refused == 2)
        governor.leave(.refresh, for: "a")
        try governor.enter(.request, for: "a")
    }

    @Test func `an empty quota refuses calls and keeps the probe free`() throws {
        let governor = governor(perMinute: 70 * 21)
        var permits: [CircuitBreaker.Permit] = []
        for _ in 0..<20 { permits.append(try governor.admit(.request, for: "a", at: .zero)) }
        for permit in permits { governor.ended(permit, .failure, for: "a", at: .zero) }
        #expect(governor.figures(at: .zero).isPaused)
        let paused = #expect(throws: RemoteSigningError.self) { try governor.admit(.request, for: "a", at: .zero) }
        #expect(paused?.retryAfter == 5)
        let told = RemoteSigningError(reason: "Google's words", retryAfter: 7, .later)
        governor.exhausted(for: .seconds(7), told, at: .zero)
        let used = #expect(throws: RemoteSigningError.self) { try governor.admit(.request, for: "a", at: .seconds(5)) }
        #expect(used?.retryAfter == 3)
        #expect(used?.reason == told.reason)
        // An answer of another call asks for less.
        let second = RemoteSigningError(reason: "Google's other words", retryAfter: 1, .later)
        governor.exhausted(for: .zero, second, at: .seconds(5))
        #expect(governor.figures(at: .seconds(6)).exhaustion == told)
        #expect(governor.figures(at: .seconds(7)).exhaustion == nil)
        governor.ended(try governor.admit(.request, for: "a", at: .seconds(8)), .success, for: "a", at: .seconds(9))
        #expect(changes.all == [.opened(failures: 20, calls: 20), .closed(after: .seconds(9))])
    }

    /// Has the account's breaker open.
    private func fail(_ account: String, _ governor: SigningGovernor) throws {
        for _ in 0..<20 {
            governor.ended(
                try governor.admit(.request, for: account, at: .zero), .failure, for: account, at: .zero)
        }
    }

    @Test func `an account that fails pauses itself alone`() throws {
        let governor = governor()
        try fail("a", governor)
        #expect(throws: RemoteSigningError.self) { try governor.admit(.request, for: "a", at: .seconds(1)) }
        for _ in 0..<50 {
            governor.ended(
                try governor.admit(.request, for: "b", at: .seconds(1)), .success, for: "b", at: .seconds(1))
        }
        #expect(changes.all == [.opened(failures: 20, calls: 20)])
        #expect(governor.figures(at: .seconds(1)).isPaused)
    }

    @Test func `where all accounts fail, one probes at a time`() throws {
        let governor = governor()
        for account in ["a", "b"] { try fail(account, governor) }
        let probe = try governor.admit(.request, for: "a", at: .seconds(5))
        #expect(throws: RemoteSigningError.self) { try governor.admit(.request, for: "b", at: .seconds(5)) }
        governor.ended(probe, .success, for: "a", at: .seconds(6))
        _ = try governor.admit(.request, for: "b", at: .seconds(6))
        #expect(throws: RemoteSigningError.self) { try governor.admit(.request, for: "b", at: .seconds(6)) }
    }

    @Test func `an account that hangs leaves a quarter of the places to others`() throws {
        let governor = governor()
        try governor.enter(.request, for: "b")
        governor.leave(.request, for: "b")
        for _ in 0..<3 { try governor.enter(.request, for: "a") }
        #expect(throws: RemoteSigningError.self) { try governor.enter(.request, for: "a") }
        try governor.enter(.request, for: "b")
    }

    @Test func `the account that a reload leaves has all places`() throws {
        let governor = governor()
        for account in ["a", "b"] { try governor.enter(.request, for: account) }
        try fail("b", governor)
        governor.start(SigningQuota(signaturesPerMinute: 70_000, share: 1, at: .zero), of: ["a"], at: .zero)
        // What is in flight still counts.
        for _ in 0..<2 { try governor.enter(.request, for: "a") }
        #expect(throws: RemoteSigningError.self) { try governor.enter(.request, for: "a") }
        governor.leave(.request, for: "b")
        try governor.enter(.request, for: "a")
        #expect(governor.figures(at: .zero).inFlight == 4)
        #expect(!governor.figures(at: .zero).isPaused)
        for _ in 0..<4 { governor.leave(.request, for: "a") }
        for _ in 0..<4 { try governor.enter(.request, for: "a") }
    }
}
