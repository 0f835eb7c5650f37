import FleetEngineToken
import Testing

@testable import GoogleCredentials

struct SigningGovernorTests {
    private let changes = TestLog<CircuitBreaker.Change>()

    private func governor(perMinute: Int = 70_000, maxInFlight: Int = 4) throws -> SigningGovernor {
        try SigningGovernor(
            try SigningQuota(signaturesPerMinute: perMinute, share: 1, at: .zero), maxInFlight: maxInFlight,
            report: { [changes] in changes.add($0) })
    }

    @Test func `refreshes leave a quarter of the places to requests`() throws {
        let governor = try governor()
        for _ in 0..<3 { try governor.enter(.refresh) }
        #expect(throws: RemoteSigningError.self) { try governor.enter(.refresh) }
        try governor.enter(.request)
        let error = #expect(throws: RemoteSigningError.self) { try governor.enter(.request) }
        #expect(error?.retryAfter == 1)
        #expect(governor.figures(at: .zero).inFlight == 4)
        #expect(governor.figures(at: .zero).refused == 2)
        governor.leave(.refresh)
        try governor.enter(.request)
    }

    @Test func `an empty quota refuses calls and keeps the probe free`() throws {
        let governor = try governor(perMinute: 70 * 21)
        var permits: [CircuitBreaker.Permit] = []
        for _ in 0..<20 { permits.append(try governor.admit(.request, at: .zero)) }
        for permit in permits { governor.ended(permit, .failure, at: .zero) }
        #expect(governor.figures(at: .zero).isPaused)
        let paused = #expect(throws: RemoteSigningError.self) { try governor.admit(.request, at: .zero) }
        #expect(paused?.retryAfter == 5)
        governor.exhausted(for: .seconds(7), at: .zero)
        let used = #expect(throws: RemoteSigningError.self) { try governor.admit(.request, at: .seconds(5)) }
        #expect(used?.retryAfter == 3)
        #expect(used?.reason.contains("quota") == true)
        governor.ended(try governor.admit(.request, at: .seconds(8)), .success, at: .seconds(9))
        #expect(changes.all == [.opened(failures: 20, calls: 20), .closed(after: .seconds(9))])
    }

    @Test func `no places at once is refused`() {
        #expect(throws: SigningQuotaError.maxInFlight(0)) { try governor(maxInFlight: 0) }
    }
}
