@testable import FleetEngineTokenTests
@testable import GoogleCredentials
@testable import GoogleCredentialsTests
@testable import HTTPClient
import FleetEngineToken
import Testing

@testable import TokenService

/// An hour of simulated time.
@Suite struct RemoteHourTests {
    @Test func `in an hour no request of 5000 known devices waits`() throws {
        let clock = MockClock()
        let fleet = try SimulatedFleet(DelayedSigner(clock.signing), clock)
        try fleet.add(5000, within: 1200, every: 60...3000)
        _ = fleet.run(1300)
        let hour = fleet.run(3600)
        #expect(hour.waits == 0)
        #expect(hour.failures == 0)
        #expect(hour.hits > 10_000)
    }

    @Test func `Google can be down for ten minutes of an hour`() throws {
        let google = try QuotaGoogle(perMinute: 30)
        let fleet = try SimulatedFleet(google.signer, google.clock)
        // Tokens are renewed at least every 1,485 s, which takes half of the quota.
        try fleet.add(200, within: 1200, every: 60...600)
        _ = fleet.run(2400)
        let usual = google.calls
        google.setDown(true)
        let outage = fleet.run(600)
        google.setDown(false)
        let recovery = fleet.run(3000)
        #expect((outage.waits, outage.failures) == (0, 0))
        #expect((recovery.waits, recovery.failures) == (0, 0))
        #expect(google.calls > usual + 400)
        #expect(google.mostCallsInMinute <= 30)
    }
}

/// Signs without a key, so that many devices cost little time.
final class DelayedSigner: RemoteTokenSigner {
    let account = LoopbackGoogle.account
    private let clock: SigningClock
    private let delays = Locked(SimulatedDelays())

    init(_ clock: SigningClock) { self.clock = clock }

    func sign(
        _ claims: [UInt8], _ urgency: SigningUrgency,
        _ completion: @escaping @Sendable (Result<[UInt8], RemoteSigningError>) -> Void
    ) {
        let delay = delays.withLock { $0.next() }
        clock.after(delay ?? urgency.deadline) {
            completion(
                delay == nil
                    ? .failure(RemoteSigningError(reason: "silence", retryAfter: 1, .diagnose))
                    : .success(HeldRemoteSigner.jws))
        }
    }
}

/// The real signer before a Google with a quota, which can be down.
final class QuotaGoogle: Sendable {
    let clock = MockClock()
    let signer: RemoteSigner
    private let seconds = Locked<[Int64]>([])
    private let isDown = Locked(false)

    init(perMinute: Int) throws {
        let google = try LoopbackGoogle()
        let (clock, seconds, isDown) = (clock.signing, seconds, isDown)
        let delays = Locked(SimulatedDelays())
        let keys = try PublishedKeys(
            account: LoopbackGoogle.account, base: OutgoingURL("https://www.googleapis.com"), send: google.send,
            clock: clock)
        let quota = try SigningQuota(signaturesPerMinute: perMinute, share: 1, at: clock.monotonic())
        let governor = try SigningGovernor(quota) { _ in }
        signer = try RemoteSigner(
            account: LoopbackGoogle.account, delegates: [],
            endpoint: OutgoingURL("https://iamcredentials.googleapis.com"), caller: .person, project: nil,
            tokens: TestTokens(), keys: keys, governor: governor,
            send: { request, completion in
                seconds.withLock { $0.append(clock.epochSeconds()) }
                let delay = delays.withLock { $0.next() }
                clock.after(delay ?? request.limits.totalTimeout) {
                    guard delay != nil, !isDown.withLock({ $0 }) else {
                        let cause = HTTPClientError.Cause.timeout(.answering, after: request.limits.totalTimeout)
                        return completion(.failure(HTTPClientError(endpoint: request.url.endpoint, cause: cause)))
                    }
                    google.send(request, completion)
                }
            }, clock: clock)
    }

    func setDown(_ value: Bool) { isDown.withLock { $0 = value } }

    /// Calls of signJwt so far.
    var calls: Int { seconds.withLock { $0.count } }

    /// The most calls within a minute.
    var mostCallsInMinute: Int {
        let seconds = seconds.withLock { $0 }
        return seconds.indices.map { first in seconds[first...].prefix { $0 < seconds[first] + 60 }.count }.max() ?? 0
    }
}
