import CallerAccess
import Concurrency
import Dispatch
import FleetEngineToken
import GoogleCredentials
import HTTPServer
import Logging
import OpenSSLCrypto
import ServiceConfiguration
import StrictJSON
import SystemFiles

/// Keeps one issuer's keys in a verifier up to date, in the background: fetches them as often as the provider says and for
/// unknown keys, and keeps them through outages.
package final class KeySetFeed: Sendable {
    private struct State {
        var schedule = FetchSchedule(
            longestPause: .seconds(60), demandPauses: KeySetFeed.unknownKeyPause...KeySetFeed.unknownKeyPause,
            demandsInterrupt: true)
        /// Called when the current fetch ends, with the requests that wait for it, each charged to its connection. Those whose
        /// client has gone are at most as many as the others once were, or a few.
        var waiting: [(request: LateAnswer?, resume: @Sendable () -> Void)] = []
        var sweeps = SweepSchedule()
        /// The last keys that were fetched; nil after the provider withdrew them.
        var last: FetchedKeySet?
        /// Whether the verifier has them: they have not expired.
        var areUsed = false
        /// Whether the operator wants to know what the next fetch brings, even if it is the same.
        var isAsked = false
        var hasFetched = false
        var failures = 0
        /// Why the last fetch failed; nil if it succeeded, and before the first.
        var lastFailure: KeySetFetchError?
        /// When fetches began to fail, in RFC 3339; nil while they succeed.
        var failingSince: String?
        var isStarted = false
        var isStopped = false

        /// How long ago the verifier's keys were fetched, and how long until they expire; nil while it has none.
        var freshness: (age: Int64, left: Int64?)? {
            guard areUsed, let freshness = schedule.freshness(at: KeySetFeed.now()) else { return nil }
            return (freshness.age.components.seconds, freshness.end?.components.seconds)
        }

        mutating func takeWaiting() -> [@Sendable () -> Void] {
            defer { (waiting, sweeps) = ([], SweepSchedule()) }
            return waiting.map(\.resume)
        }

        /// Takes out the requests whose client has gone.
        mutating func sweep() -> [@Sendable () -> Void] {
            let gone = waiting.partition { $0.request?.isAwaited == false }
            defer { waiting.removeSubrange(gone...) }
            sweeps.swept(leaving: gone)
            return waiting[gone...].map(\.resume)
        }
    }

    /// The time between two fetches for unknown keys: a client must not cause fetches at will.
    static let unknownKeyPause = Duration.seconds(30)
    /// Seconds until the next fetch where the provider does not say (RFC 9111 section 4.2.2 leaves it to us).
    private static let usualAge: Int64 = 900
    /// The range to which the provider's own seconds are limited: a key that the provider withdrew is not used for longer.
    private static let ages: ClosedRange<Int64> = 60...3600
    /// Seconds between two looks at the clock: Dispatch's time stands still while the machine is suspended.
    private static let longestSleep: Int64 = 10

    package let issuer: String
    /// Seconds for which keys are used after they were fetched.
    private let keep: Int64
    private let fetcher: KeySetFetcher
    private let replaceKeys: @Sendable (JWKSet?) -> Void
    private let logger: Logger
    private let state: Guarded<State>
    private let queue = DispatchQueue(label: "key-set")

    init(_ issuer: Configuration.Issuer, _ fetcher: KeySetFetcher, into verifier: BearerTokenVerifier, logger: Logger) {
        (self.issuer, keep, self.fetcher, self.logger) = (issuer.policy.issuer, issuer.keepKeys, fetcher, logger)
        replaceKeys = verifier.keyReplacement(of: issuer.policy.issuer)
        state = Guarded(State())
    }

    /// Begins the first fetch, once, and fetches again whenever that is due.
    func start() {
        let isFirst = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
        if isFirst { look() }
    }

    /// Blocks until there are keys or the current fetch has ended, which has a deadline.
    func waitForKeys() {
        let fetched = DispatchSemaphore(value: 0)
        if !hasKeys, mayBringKey({ fetched.signal() }) { fetched.wait() }
    }

    /// Whether the verifier has keys of the issuer.
    var hasKeys: Bool { state.withLock { $0.areUsed } }

    /// Whether keys were ever fetched.
    package var hasFetched: Bool { state.withLock { $0.hasFetched } }

    /// How the last keys came: the predicate of a sentence; nil if none did.
    var way: String? {
        state.withLock { state in
            state.last.map { "were fetched " + ($0.proxy.map { "through the proxy \($0)" } ?? "directly") }
        }
    }

    /// Why the verifier has no keys of the issuer; nil while it has.
    package var outage: String? {
        state.withLock { state -> String? in
            guard !state.areUsed else { return nil }
            let reason = state.lastFailure.map { ($0.url.map { " from \($0.text)" } ?? "") + ": \($0.sentence)" } ?? ""
            return "issuers: the keys of \(issuer) could not be fetched\(reason)"
        }
    }

    /// Seconds since the keys were fetched, nil without keys; and how many fetches have failed.
    package var figures: (age: Int64?, failures: Int) {
        state.withLock { ($0.freshness?.age, $0.failures) }
    }

    /// Seconds until the keys expire unless others are fetched before; nil without keys.
    package var timeLeft: Int64? { state.withLock { $0.freshness?.left } }

    /// Which keys of the last set that was fetched are skipped, and why; nil if none is.
    package var shortcomings: String? { state.withLock { $0.last?.keys.shortcomings } }

    /// Why the last fetch failed, and what to do about it; nil if it succeeded, and before the first.
    package var lastFailure: ProbeFailure? {
        state.withLock { $0.lastFailure }.map { failure in
            let cure = "correct the address of \(issuer) in issuers, or what answers there"
            return ProbeFailure(failure.sentence, failure.remedy ?? Remedy(cure))
        }
    }

    /// Fetches the keys again at once, and says what has changed: one may have been withdrawn, since it was stolen.
    func fetchAgain() {
        state.withLock { state in
            state.schedule.expectChange()
            state.isAsked = true
        }
        queue.async { [weak self] in _ = self?.step() }
    }

    /// Stops fetching, and releases all waiting requests.
    func stop() {
        let waiting = state.withLock { state in
            state.isStopped = true
            return state.takeWaiting()
        }
        for resume in waiting { resume() }
    }

    /// Whether a fetch is pending or begins that may bring an unknown key. If so, `resume` is called when it has ended; it may
    /// be released before if the request's client has gone.
    func mayBringKey(for request: LateAnswer? = nil, _ resume: @escaping @Sendable () -> Void) -> Bool {
        let (answer, gone) = state.withLock { state -> (FetchSchedule.Demand?, [@Sendable () -> Void]) in
            let gone = state.sweeps.isDue(at: state.waiting.count) ? state.sweep() : []
            let answer = state.isStopped ? nil : state.schedule.demand(at: Self.now())
            if answer == .fetch || answer == .wait { state.waiting.append((request, resume)) }
            return (answer, gone)
        }
        // Not within the lock: what they hold has its own end.
        withExtendedLifetime(gone) {}
        if answer == .fetch { fetch() }
        return answer == .fetch || answer == .wait
    }

    private func look() {
        guard let left = step() else { return }
        let pause = min(max(1, left.components.seconds), Self.longestSleep)
        queue.asyncAfter(deadline: .now() + .seconds(Int(pause))) { [weak self] in self?.look() }
    }

    /// Does what is due. Returns how long until something else is; nil once the feed has stopped.
    private func step() -> Duration? {
        let now = Self.now()
        let plan = state.withLock { state -> (begins: Bool, expired: Bool, failingSince: String?, left: Duration)? in
            guard !state.isStopped else { return nil }
            let expires = state.areUsed && !state.schedule.isUsable(at: now)
            // Within the lock, so that keys fetched meanwhile are not removed.
            if expires {
                state.areUsed = false
                replaceKeys(nil)
            }
            let begins = state.schedule.startFetchIfDue(at: now)
            return (begins, expires, state.failingSince, state.schedule.timeToNextStep(at: now))
        }
        guard let plan else { return nil }
        if plan.expired {
            let reason =
                plan.failingSince.map { "identity provider unreachable since \($0)" }
                ?? "the identity provider did not answer in time"
            logger.error("cached keys expired", metadata: ["issuer": "\(issuer)", "reason": "\(reason)"])
        }
        if plan.begins { fetch() }
        return plan.left
    }

    private func fetch() {
        fetcher.fetch { [weak self] result in self?.ended(result) }
    }

    private func ended(_ result: Result<FetchedKeySet, KeySetFetchError>) {
        switch result {
        case .success(let fetched): take(fetched)
        case .failure(let error):
            let previous = state.withLock { state -> [JWK]? in
                state.schedule.failed(at: Self.now())
                state.failures += 1
                state.lastFailure = error
                state.failingSince = state.failingSince ?? CivilTime.rfc3339(SystemClock.now())
                guard error.withdrawsKeys, state.areUsed else { return nil }
                defer { (state.last, state.areUsed, state.isAsked) = (nil, false, false) }
                replaceKeys(nil)
                return state.last?.keys.keys
            }
            let reason: Logger.Metadata = ["issuer": "\(issuer)", "reason": "\(error.sentence)"]
            if let previous {
                let changes = [JWK]().changes(since: previous, of: issuer)
                logger.error("keys were withdrawn", metadata: changes.merging(reason) { $1 })
            } else {
                logger.warning("keys could not be fetched", metadata: reason)
            }
        }
        for resume in state.withLock({ $0.takeWaiting() }) { resume() }
        // Another one may be due already.
        queue.async { [weak self] in _ = self?.step() }
    }

    /// Unchanged keys stay in the verifier, and with them the cached principals of verified tokens.
    private func take(_ fetched: FetchedKeySet) {
        let (previous, isNew, isAsked) = state.withLock { state in
            // A fetch that began before the operator asked is not the answer.
            let isAsked = state.isAsked && !state.schedule.mayHaveChanged
            if isAsked { state.isAsked = false }
            state.schedule.succeeded(at: Self.now(), Self.freshness(age: fetched.age, keep: keep))
            (state.lastFailure, state.failingSince) = (nil, nil)
            let previous = state.last?.keys.keys ?? []
            guard !state.isStopped, !state.areUsed || state.last?.bytes != fetched.bytes else {
                return (previous, false, isAsked)
            }
            (state.last, state.areUsed, state.hasFetched) = (fetched, true, true)
            replaceKeys(fetched.keys)
            return (previous, true, isAsked)
        }
        var metadata = fetched.keys.changes(since: isNew ? previous : fetched.keys.keys, of: issuer)
        metadata["proxy"] = fetched.proxy.map { "\($0)" }
        guard isNew else {
            if isAsked { logger.notice("keys were fetched again and are the same", metadata: metadata) }
            return
        }
        logger.notice("keys were fetched", metadata: metadata)
    }

    /// Keys are fetched again before the last good ones expire, whatever the provider says.
    static func freshness(age: Int64?, keep: Int64) -> FetchSchedule.Freshness {
        let age = min(max(age ?? usualAge, ages.lowerBound), ages.upperBound)
        return FetchSchedule.Freshness(renewal: .seconds(min(age, max(1, keep / 2))), end: .seconds(keep))
    }

    private static func now() -> Duration { .nanoseconds(Int64(clamping: MonotonicTime.now())) }
}

extension JWKSet {
    /// What a log line says of an issuer's set: its keys, which came and went, and which are skipped.
    func changes(since previous: [JWK], of issuer: String) -> Logger.Metadata {
        var metadata = keys.changes(since: previous, of: issuer)
        metadata["skipped"] = shortcomings.map { "\($0)" }
        return metadata
    }
}

extension [JWK] {
    /// A set may have a hundred keys, and their ids any length.
    private static var most: (keys: Int, scalars: Int) { (10, 64) }

    /// What a log line says of an issuer's keys: how many there are, and which came and went.
    func changes(since previous: [JWK], of issuer: String) -> Logger.Metadata {
        var metadata: Logger.Metadata = ["issuer": "\(issuer)", "keys": "\(count)"]
        metadata["added"] = names(besides: previous).map { "\($0)" }
        metadata["removed"] = previous.names(besides: self).map { "\($0)" }
        return metadata
    }

    /// The ids of the keys that the others lack; nil if there are none.
    private func names(besides others: [JWK]) -> String? {
        let missing = filter { key in
            !others.contains { $0.keyID == key.keyID && $0.key.isSame(as: key.key) }
        }
        guard !missing.isEmpty else { return nil }
        let names = missing.prefix(Self.most.keys).map { key in
            key.keyID.map { String(String.UnicodeScalarView($0.unicodeScalars.prefix(Self.most.scalars))) } ?? "no kid"
        }
        let rest = missing.count - names.count
        return names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}
