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
        tokens = TestTokens()
        governor = try SigningGovernor(
            try SigningQuota(signaturesPerMinute: perMinute, share: 1, at: clock.now), maxInFlight: maxInFlight,
            report: { [changes] in changes.add($1) })
        keys = try PublishedKeys(
            account: account, base: OutgoingURL("https://www.googleapis.com"), send: google.send, clock: clock.signing)
        signer = try RemoteSigner(
            account: account, delegates: delegates, endpoint: OutgoingURL(endpoint), caller: .person,
            project: project.flatMap(QuotaProject.init), tokens: tokens, keys: keys, governor: governor,
            send: google.send, clock: clock.signing)
    }

    /// Begins a signature; its outcomes are added to the log.
    func begin(_ urgency: SigningUrgency = .request) -> TestLog<Outcome> {
        let log = TestLog<Outcome>()
        signer.sign(Self.claims, urgency) { log.add($0) }
        return log
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
            monotonic: { self.now }, epochSeconds: { self.epochSeconds }, after: { self.after($0, $1) },
            random: { self.random })
    }
}

/// Access tokens that change when they are rejected.
final class TestTokens: AccessTokenProviding {
    private struct State {
        var number = 0
        var rejections = 0
        var failure: RemoteSigningError?
        var isSilent = false
        var isStuck = false
    }

    private let state = Guarded(State())

    var rejections: Int { state.withLock { $0.rejections } }
    func fail(_ error: RemoteSigningError) { state.withLock { $0.failure = error } }
    /// From now on no completion is called.
    func fallSilent() { state.withLock { $0.isSilent = true } }
    /// From now on a rejected token stays.
    func stick() { state.withLock { $0.isStuck = true } }
    /// Another caller had the token replaced.
    func replace() { state.withLock { $0.number += 1 } }

    func token(
        _ completion: @escaping @Sendable (Result<(token: Secret, expiresAt: Int64), RemoteSigningError>) -> Void
    ) {
        let (number, failure, isSilent) = state.withLock { ($0.number, $0.failure, $0.isSilent) }
        if isSilent { return }
        if let failure { return completion(.failure(failure)) }
        completion(.success((Secret("canary-token-\(number)"), 1_800_003_600)))
    }

    func reject() {
        state.withLock { state in
            state.rejections += 1
            if !state.isStuck { state.number += 1 }
        }
    }
}

/// What was reported, in order.
final class TestLog<Entry: Sendable>: Sendable {
    private let entries = Guarded<[Entry]>([])

    var all: [Entry] { entries.withLock { $0 } }
    func add(_ entry: Entry) { entries.withLock { $0.append(entry) } }
}
