@testable import GoogleCredentials
@testable import HTTPClient
import FleetEngineToken
import OpenSSLCrypto
import StrictJSON
import TestSupport
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
    let account = QuotaGoogle.account
    private let clock: SigningClock
    private let delays = Locked(SimulatedDelays())

    init(_ clock: SigningClock) { self.clock = clock }

    func sign(_ claims: [UInt8], _ urgency: SigningUrgency) async throws(RemoteSigningError) -> [UInt8] {
        let delay = delays.withLock { $0.next() }
        await clock.sleep(delay ?? urgency.deadline)
        guard delay != nil else { throw RemoteSigningError(reason: "silence", retryAfter: 1, .diagnose) }
        return HeldRemoteSigner.jws
    }
}

/// The real signer before a Google with a quota, which can be down.
final class QuotaGoogle: Sendable {
    static let account = "driver-tokens@my-fleet.iam.gserviceaccount.com"

    let clock = MockClock()
    let signer: RemoteSigner
    private let seconds = Locked<[Int64]>([])
    private let isDown = Locked(false)

    init(perMinute: Int) throws {
        let google = try SigningGoogle()
        let (clock, seconds, isDown) = (clock.signing, seconds, isDown)
        let delays = Locked(SimulatedDelays())
        let keys = try PublishedKeys(
            account: QuotaGoogle.account, base: OutgoingURL("https://www.googleapis.com"),
            send: { request throws(HTTPClientError) in try google.answer(request).get() }, clock: clock)
        let quota = SigningQuota(signaturesPerMinute: perMinute, share: 1, at: clock.monotonic())
        let governor = SigningGovernor(quota) { _, _ in }
        signer = try RemoteSigner(
            account: QuotaGoogle.account, delegates: [],
            endpoint: OutgoingURL("https://iamcredentials.googleapis.com"), caller: .person, project: nil,
            tokens: AccessTokenSource(clock) { () throws(AccessTokenError) in
                AccessToken(value: Secret("token"), expiresAt: .max)
            },
            of: .metadataServer(MetadataServer(environment: [:])), keys: keys, governor: governor,
            send: { request throws(HTTPClientError) in
                seconds.withLock { $0.append(clock.epochSeconds()) }
                let delay = delays.withLock { $0.next() }
                await clock.sleep(delay ?? request.limits.totalTimeout)
                guard delay != nil, !isDown.withLock({ $0 }) else {
                    let cause = HTTPClientError.Cause.timeout(.answering, after: request.limits.totalTimeout)
                    throw HTTPClientError(endpoint: request.url.endpoint, cause: cause)
                }
                return try google.answer(request).get()
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

/// IAM Credentials and the published keys of an account with one key.
private struct SigningGoogle {
    private let key: RSAPrivateKey

    init() throws { key = try RSAPrivateKey.generate() }

    func answer(_ request: HTTPClientRequest) -> Result<HTTPClientResponse, HTTPClientError> {
        Result {
            let body =
                if case .post(let body) = request.method {
                    try signed(JSONValue(parsing: body))
                } else { try JWKSet.render([(keyID: "key-0", publicKey: key.publicKey())]) }
            let fields = [try HTTPClientField("content-type", "application/json")]
            return HTTPClientResponse(status: 200, fields: fields, body: HTTPClientBody(body, isProven: true))
        }.mapError { HTTPClientError(endpoint: "test", cause: .other(reason: "\($0)")) }
    }

    private func signed(_ call: JSONValue) throws -> [UInt8] {
        guard case .object(let members) = call, case .string(let payload) = members["payload"] else { return [] }
        let dot = [UInt8(ascii: ".")]
        let header = Array(#"{"alg":"RS256","kid":"key-0","typ":"JWT"}"#.utf8)
        let input = Base64URL.encode(header) + dot + Base64URL.encode(Array(payload.utf8))
        let jwt = String(decoding: try input + dot + Base64URL.encode(key.sign(input)), as: UTF8.self)
        return Array(#"{"keyId":"key-0","signedJwt":"\#(jwt)"}"#.utf8)
    }
}

extension MockClock {
    /// The same for remote signing.
    var signing: SigningClock {
        SigningClock(
            monotonic: { self.now }, epochSeconds: { self.epochSeconds }, sleep: { await self.sleep($0) },
            random: { self.random }, executor: InlineExecutor())
    }
}
