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
        var schedule: KeySetSchedule
        /// Called when the current fetch ends, with the requests that wait for it, each charged to its connection. Those whose
        /// client has gone are at most as many as the others once were, or a few.
        var waiting: [(request: LateAnswer?, resume: @Sendable () -> Void)] = []
        var sweeps = SweepSchedule()
        /// The bytes of the verifier's keys; nil while it has none.
        var current: [UInt8]?
        /// The last keys that were fetched.
        var keys: [JWK] = []
        /// Which keys of the set are skipped, and why; nil if none is.
        var shortcomings: String?
        /// Whether the operator wants to know what the next fetch brings, even if it is the same.
        var isAsked = false
        var hasFetched = false
        /// The next step; those planned before it are void.
        var step = 0
        var failures = 0
        /// Why the last fetch failed; nil if it succeeded, and before the first.
        var lastFailure: KeySetFetchError?
        /// When fetches began to fail, in RFC 3339; nil while they succeed.
        var failingSince: String?
        var isStarted = false
        var isStopped = false

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

    /// Seconds between two looks at the clock: Dispatch's time stands still while the machine is suspended.
    private static let longestSleep: Int64 = 10

    private let issuer: String
    private let fetcher: KeySetFetcher
    private let replaceKeys: @Sendable (JWKSet?) -> Void
    private let logger: Logger
    private let state: Guarded<State>
    private let queue = DispatchQueue(label: "key-set")

    init(_ issuer: Configuration.Issuer, _ fetcher: KeySetFetcher, into verifier: BearerTokenVerifier, logger: Logger) {
        (self.issuer, self.fetcher, self.logger) = (issuer.policy.issuer, fetcher, logger)
        replaceKeys = verifier.keyReplacement(of: issuer.policy.issuer)
        state = Guarded(State(schedule: KeySetSchedule(keep: issuer.keepKeys, at: Self.now())))
    }

    /// Begins the first fetch, once.
    func start() {
        let isFirst = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
        if isFirst { step(0) }
    }

    /// Blocks until there are keys or the current fetch has ended, which has a deadline.
    func waitForKeys() {
        let fetched = DispatchSemaphore(value: 0)
        if !hasKeys, mayBringKey({ fetched.signal() }) { fetched.wait() }
    }

    /// Whether the verifier has keys of the issuer.
    var hasKeys: Bool { state.withLock { $0.current != nil } }

    /// Whether keys were ever fetched.
    package var hasFetched: Bool { state.withLock { $0.hasFetched } }

    /// Why the verifier has no keys of the issuer; nil while it has.
    var outage: String? {
        state.withLock { state -> String? in
            guard state.current == nil else { return nil }
            let reason = state.lastFailure.map { ": \($0.sentence)" } ?? ""
            return "issuers: the keys of \(issuer) could not be fetched\(reason)"
        }
    }

    /// Seconds since the keys were fetched, nil without keys; and how many fetches have failed.
    package var figures: (age: Int64?, failures: Int) {
        state.withLock { ($0.schedule.age(at: Self.now()), $0.failures) }
    }

    /// Seconds until the keys expire unless others are fetched before; nil without keys.
    package var timeLeft: Int64? { state.withLock { $0.schedule.timeLeft(at: Self.now()) } }

    /// Which keys of the last set that was fetched are skipped, and why; nil if none is.
    package var shortcomings: String? { state.withLock { $0.shortcomings } }

    /// Why the last fetch failed, and what to do about it; nil if it succeeded, and before the first.
    package var lastFailure: ProbeFailure? {
        state.withLock { $0.lastFailure }.map { failure in
            let cure = "correct the address of \(issuer) in issuers, or what answers there"
            return ProbeFailure(failure.sentence, failure.remedy ?? Remedy(cure))
        }
    }

    /// Fetches the keys again at once, and says what has changed: one may have been withdrawn, since it was stolen.
    func fetchAgain() {
        let number = state.withLock { state in
            state.schedule.expectChange(at: Self.now())
            state.isAsked = true
            return state.step
        }
        queue.async { [weak self] in self?.step(number) }
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
        let (answer, gone) = state.withLock { state -> (KeySetSchedule.UnknownKey, [@Sendable () -> Void]) in
            let gone = state.sweeps.isDue(at: state.waiting.count) ? state.sweep() : []
            guard !state.isStopped else { return (.refuse, gone) }
            let answer = state.schedule.unknownKey(at: Self.now())
            if answer != .refuse { state.waiting.append((request, resume)) }
            return (answer, gone)
        }
        // Not within the lock: what they hold has its own end.
        withExtendedLifetime(gone) {}
        if answer == .fetch { fetch() }
        return answer != .refuse
    }

    /// Does what is due and schedules the next step; nothing if another step was planned meanwhile.
    private func step(_ number: Int) {
        let now = Self.now()
        let plan = state.withLock { state -> Plan? in
            guard !state.isStopped, state.step == number else { return nil }
            state.step += 1
            let ends = state.schedule.endsKeys(at: now)
            // Within the lock, so that keys fetched meanwhile are not removed.
            if ends {
                state.current = nil
                replaceKeys(nil)
            }
            let begins = state.schedule.beginsFetch(at: now)
            return Plan(
                begins: begins, expired: ends, failingSince: state.failingSince, next: state.schedule.nextStep,
                step: state.step)
        }
        guard let plan else { return }
        if plan.expired {
            let reason =
                plan.failingSince.map { "identity provider unreachable since \($0)" }
                ?? "the identity provider did not answer in time"
            logger.error("cached keys expired", metadata: ["issuer": "\(issuer)", "reason": "\(reason)"])
        }
        if plan.begins { fetch() }
        guard let next = plan.next else { return }
        let pause = min(max(1, next - now), Self.longestSleep)
        queue.asyncAfter(deadline: .now() + .seconds(Int(pause))) { [weak self] in self?.step(plan.step) }
    }

    private struct Plan {
        let begins: Bool
        let expired: Bool
        let failingSince: String?
        let next: Int64?
        let step: Int
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
                guard error.withdrawsKeys, state.current != nil else { return nil }
                defer { (state.current, state.keys, state.shortcomings, state.isAsked) = (nil, [], nil, false) }
                state.schedule.withdrew()
                replaceKeys(nil)
                return state.keys
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
        let number = state.withLock { $0.step }
        queue.async { [weak self] in self?.step(number) }
    }

    /// Unchanged keys stay in the verifier, and with them the cached principals of verified tokens.
    private func take(_ fetched: FetchedKeySet) {
        let (previous, isNew, isAsked) = state.withLock { state in
            // A fetch that began before the operator asked is not the answer.
            let isAsked = state.isAsked && !state.schedule.isOutdated
            state.schedule.succeeded(at: Self.now(), age: fetched.age)
            state.lastFailure = nil
            state.failingSince = nil
            let previous = state.keys
            if isAsked { state.isAsked = false }
            guard !state.isStopped, state.current != fetched.bytes else { return (previous, false, isAsked) }
            (state.current, state.keys) = (fetched.bytes, fetched.keys.keys)
            state.shortcomings = fetched.keys.shortcomings
            state.hasFetched = true
            replaceKeys(fetched.keys)
            return (previous, true, isAsked)
        }
        let metadata = fetched.keys.changes(since: isNew ? previous : fetched.keys.keys, of: issuer)
        guard isNew else {
            if isAsked { logger.notice("keys were fetched again and are the same", metadata: metadata) }
            return
        }
        logger.notice("keys were fetched", metadata: metadata)
    }

    private static func now() -> Int64 { Int64(ServerTime.now().monotonic / 1_000_000_000) }
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
