import Concurrency
import FleetEngineToken
import HTTPClient
import OpenSSLCrypto
import StrictJSON

/// The public keys that Google publishes for a service account, `/service_accounts/v1/jwk/EMAIL`: fetched when they are
/// needed, renewed when they are old or a new key appears, and kept through outages.
package final class PublishedKeys: Sendable {
    /// Whether the account exists, as far as its keys tell.
    package enum Existence: Hashable, Sendable {
        case exists, isMissing, unknown
    }

    typealias KeyCompletion = @Sendable (Result<VerificationKey, RemoteSigningError>) -> Void

    private struct State {
        var schedule = PublishedKeySchedule()
        /// The last good keys.
        var keys: [JWK] = []
        /// The same as a JWK set.
        var set: [UInt8]?
        /// Called when the pending fetch ends.
        var waiting: [@Sendable () -> Void] = []
        /// How the last fetch failed; nil if it succeeded, and before the first.
        var lastFailure: PublishedKeysError?

        func key(_ keyID: String) -> VerificationKey? {
            keys.first { $0.keyID?.hasSameBytes(as: keyID) ?? false }?.key
        }

        mutating func takeWaiting() -> [@Sendable () -> Void] {
            defer { waiting = [] }
            return waiting
        }
    }

    /// The service account's e-mail address.
    package let account: String

    private let fetcher: PublishedKeysFetcher
    private let clock: SigningClock
    private let state = Guarded(State())

    /// The account's keys at this base URL, usually `https://www.googleapis.com`. Nothing is fetched yet.
    package init(account: String, base: OutgoingURL, send: @escaping HTTPSend, clock: SigningClock)
        throws(RemoteSigningError)
    {
        fetcher = try PublishedKeysFetcher(account: ServiceAccountName(account), base: base, send: send)
        self.account = account
        self.clock = clock
    }

    /// The keys as a JWK set (RFC 7517 section 5), with only what verifying needs; nil before the first fetch has
    /// succeeded. Begins a fetch if the keys are old or missing.
    package var keySet: [UInt8]? {
        refresh()
        return state.withLock { $0.set }
    }

    /// How many seconds ago the keys were fetched, for how many they are still fresh (0: they are fetched again when they
    /// are next needed), and why the last fetch failed; each nil if there is none. Fetches nothing.
    package var term: (age: Int64?, left: Int64?, failure: String?) {
        let now = clock.monotonic()
        return state.withLock { state in
            let term = state.schedule.term(at: now)
            return (term?.age.components.seconds, term?.left.components.seconds, state.lastFailure?.sentence)
        }
    }

    /// Begins a fetch if the keys are old or missing, and does not wait for it.
    package func refresh() {
        if state.withLock({ $0.schedule.beginsFetch(at: clock.monotonic()) }) { fetch() }
    }

    /// Makes sure that there are keys. The completion is called exactly once: before this returns if there are, otherwise
    /// when the pending fetch ends.
    package func load(_ completion: @escaping @Sendable (Result<Void, RemoteSigningError>) -> Void) {
        guard state.withLock({ $0.keys.isEmpty }) else {
            refresh()
            return completion(.success(()))
        }
        awaitFetch(unless: { !$0.keys.isEmpty }) { [self] refusal in
            let (hasKeys, failure) = state.withLock { (!$0.keys.isEmpty, $0.lastFailure) }
            let problem = failure?.sentence ?? "not fetched yet"
            completion(hasKeys ? .success(()) : .failure(error(problem, refusal, failure?.remedy(account) ?? .later)))
        }
    }

    /// Whether the account exists. The completion is called exactly once, as for `load`.
    package func existence(_ completion: @escaping @Sendable (Existence) -> Void) {
        load { [self] _ in
            let (hasKeys, failure) = state.withLock { (!$0.keys.isEmpty, $0.lastFailure) }
            completion(failure?.isMissingAccount == true ? .isMissing : hasKeys ? .exists : .unknown)
        }
    }

    /// The key with this id if it was fetched. Old keys still verify; new ones are fetched in the background.
    func knownKey(_ keyID: String) -> VerificationKey? {
        guard let key = state.withLock({ $0.key(keyID) }) else { return nil }
        refresh()
        return key
    }

    /// The key with this id. The completion is called exactly once: before this returns if the key is known, otherwise
    /// when the pending fetch ends.
    func key(_ keyID: String, _ completion: @escaping KeyCompletion) {
        if let key = knownKey(keyID) { return completion(.success(key)) }
        awaitFetch(unless: { $0.key(keyID) != nil }) { [self] refusal in
            let (key, failure) = state.withLock { ($0.key(keyID), $0.lastFailure) }
            if let key { return completion(.success(key)) }
            let problem = failure?.sentence ?? "they have no key \(ReceivedText.quoted(keyID))"
            let remedy = failure?.remedy(account) ?? PublishedKeysProbe.unpublished(account, isLocal: false)
            completion(.failure(error(problem, refusal, remedy)))
        }
    }

    /// Calls the closure when a fetch has ended; at once if a fetch on another thread has just brought what is needed, and
    /// with the time to wait if none may begin.
    private func awaitFetch(
        unless isDone: (State) -> Bool, _ resume: @escaping @Sendable (_ refusal: Duration?) -> Void
    ) {
        let now = clock.monotonic()
        let answer = state.withLock { state -> PublishedKeySchedule.UnknownKey? in
            guard !isDone(state) else { return nil }
            let answer = state.schedule.unknownKey(at: now)
            if answer == .fetch || answer == .wait { state.waiting.append { resume(nil) } }
            return answer
        }
        switch answer {
        case nil: resume(nil)
        case .fetch: fetch()
        case .wait: break
        case .refuse(let wait): resume(wait)
        }
    }

    private func error(_ problem: String, _ refusal: Duration?, _ remedy: Remedy) -> RemoteSigningError {
        RemoteSigningError(
            reason: "the published keys of \(account) do not verify a token: \(problem)",
            retryAfter: refusal?.wholeSeconds ?? 1, remedy)
    }

    private func fetch() {
        fetcher.fetch(clock.epochSeconds) { [self] result in ended(result) }
    }

    private func ended(_ result: Result<FetchedKeys, PublishedKeysError>) {
        let now = clock.monotonic()
        let waiting = state.withLock { state in
            switch result {
            case .success(let fetched):
                let bringsNew = fetched.keys.contains { key in key.keyID.map { state.key($0) == nil } ?? false }
                state.schedule.succeeded(at: now, age: fetched.age, bringsNew: bringsNew)
                (state.keys, state.set, state.lastFailure) = (fetched.keys, fetched.set, nil)
            case .failure(let error):
                state.schedule.failed(at: now)
                state.lastFailure = error
            }
            return state.takeWaiting()
        }
        for resume in waiting { resume() }
    }
}
