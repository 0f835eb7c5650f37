import Concurrency
import FleetEngineToken
import TestSupport

@testable import GoogleCredentials
@testable import HTTPClient

/// A remote signer over `LoopbackGoogle` and a mock clock.
struct SigningBench {
    typealias Outcome = Result<[UInt8], RemoteSigningError>

    static let claims = Array(
        #"{"iss":"a@b","sub":"a@b","aud":"https://fleetengine.googleapis.com/","iat":1800000000,"exp":1800003600,"authorization":{"vehicleid":"driver_\#u{E9}"}}"#
            .utf8)

    let google: LoopbackGoogle
    let clock = MockClock()
    let tokens: TestTokens
    let governor: SigningGovernor
    let keys: PublishedKeys
    let signer: RemoteSigner
    let changes = TestLog<CircuitBreaker.Change>()

    init(
        perMinute: Int = 60_000, maxInFlight: Int = 512, delegates: [String] = [],
        account: String = LoopbackGoogle.account, project: String? = nil,
        endpoint: String = "https://iamcredentials.googleapis.com"
    ) throws {
        google = try LoopbackGoogle()
        tokens = try TestTokens(clock.signing)
        governor = SigningGovernor(
            SigningQuota(signaturesPerMinute: perMinute, share: 1, at: clock.now), maxInFlight: maxInFlight,
            report: { [changes] in changes.add($1) })
        keys = try PublishedKeys(
            account: account, base: OutgoingURL("https://www.googleapis.com"), send: google.send, clock: clock.signing)
        signer = try RemoteSigner(
            account: account, delegates: delegates, endpoint: OutgoingURL(endpoint), caller: .person,
            project: project.flatMap(QuotaProject.init), tokens: tokens.source, of: tokens.credentials, keys: keys,
            governor: governor, send: google.send, clock: clock.signing)
    }

    /// Begins a signature; its outcomes are added to the log.
    func begin(_ urgency: SigningUrgency = .request) -> TestLog<Outcome> {
        let log = TestLog<Outcome>()
        begin(urgency, log)
        return log
    }

    func begin(_ urgency: SigningUrgency, _ log: TestLog<Outcome>) {
        InlineExecutor.start({ [signer] in
            await Result(awaiting: { () throws(RemoteSigningError) in try await signer.sign(Self.claims, urgency) })
        }) { log.add($0) }
    }

    /// The one outcome of a signature after this time.
    func outcome(_ urgency: SigningUrgency = .request, after time: Duration = .seconds(70)) -> Outcome? {
        let log = begin(urgency)
        clock.advance(by: time)
        return log.all.count == 1 ? log.all[0] : nil
    }

    /// The error of a signature.
    func error(_ urgency: SigningUrgency = .request, after time: Duration = .seconds(70)) -> RemoteSigningError? {
        guard case .failure(let error) = outcome(urgency, after: time) else { return nil }
        return error
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

/// Access tokens that change when they are rejected.
final class TestTokens: Sendable {
    private struct State {
        var fetches = 0
        var failure: AccessTokenError?
        var isSilent = false
        var isStuck = false
    }

    let source: AccessTokenSource
    let credentials: AccessCredentials
    private let state: Locked<State>

    init(_ clock: SigningClock) throws {
        credentials = .file(.authorizedUser(try TestFile.user()))
        let state = Locked(State())
        self.state = state
        source = AccessTokenSource(clock) { () throws(AccessTokenError) in
            let (number, failure, isSilent) = state.withLock { state in
                state.fetches += 1
                return (state.isStuck ? 0 : state.fetches - 1, state.failure, state.isSilent)
            }
            if isSilent { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
            if let failure { throw failure }
            return AccessToken(value: Secret("canary-token-\(number)"), expiresAt: 1_800_003_600)
        }
    }

    var fetches: Int { state.withLock { $0.fetches } }
    func fail(_ error: AccessTokenError) { state.withLock { $0.failure = error } }
    /// From now on no fetch ends.
    func fallSilent() { state.withLock { $0.isSilent = true } }
    /// From now on each fetch brings the first token.
    func stick() { state.withLock { $0.isStuck = true } }
    /// Another caller had the token replaced.
    func replace() { if let token = source.current { source.reject(token) } }
}

/// What was reported, in order.
final class TestLog<Entry: Sendable>: Sendable {
    private let entries = Guarded<[Entry]>([])

    var all: [Entry] { entries.withLock { $0 } }
    func add(_ entry: Entry) { entries.withLock { $0.append(entry) } }
}
