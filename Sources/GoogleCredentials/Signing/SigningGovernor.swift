import Concurrency
import FleetEngineToken

/// Decides whether a signature may be asked for now. All accounts of a project share its quota and the places for signatures;
/// each has a circuit breaker of its own, so that the trouble of one costs the others nothing.
package final class SigningGovernor: Sendable {
    /// The most signatures that are made at once, unless configured.
    package static let usualInFlight = 512

    private struct Account {
        var breaker = CircuitBreaker()
        /// Why the last call failed.
        var lastFailure: RemoteSigningError?
        var inFlight = 0
    }

    private struct State {
        var quota: SigningQuota
        /// When Google accepts calls again after it has refused some, and its refusal.
        private var exhaustion: (end: Duration, error: RemoteSigningError)?
        /// The addresses that are configured; nil until they are known.
        var configured: Set<String>?
        /// By address; those that a reload has removed stay while they have signatures in flight.
        var accounts: [String: Account] = [:]
        var requests = 0
        var refreshes = 0
        var refused = 0

        init(quota: SigningQuota) { self.quota = quota }

        /// Google's refusal, until it accepts calls again.
        func exhaustion(at now: Duration) -> RemoteSigningError? {
            exhaustion.flatMap { now < $0.end ? $0.error : nil }
        }

        mutating func exhaust(for pause: Duration, _ error: RemoteSigningError, at now: Duration) {
            quota.exhaust(for: pause, at: now)
            // Answers of calls in flight may ask for less than an earlier one.
            if now + pause > exhaustion?.end ?? now { exhaustion = (now + pause, error) }
        }

        mutating func add(_ count: Int, _ urgency: SigningUrgency, for account: String) {
            accounts[account, default: Account()].inFlight += count
            switch urgency {
            case .request: requests += count
            case .refresh: refreshes += count
            }
            forgetIfRemoved(account)
        }

        mutating func forgetIfRemoved(_ account: String) {
            guard let configured, !configured.contains(account), accounts[account]?.inFlight == 0 else { return }
            accounts[account] = nil
        }

        /// Whether there is a place: refreshes leave a quarter to requests, and one account of several a quarter to the others.
        func hasPlace(of most: Int, _ urgency: SigningUrgency, for account: String) -> Bool {
            let part = max(1, most * 3 / 4)
            return requests + refreshes < most && (urgency == .request || refreshes < part)
                && (accounts.count < 2 || (accounts[account]?.inFlight ?? 0) < part)
        }

        /// Asks the account's breaker. While no account is signed for, one of them probes at a time.
        mutating func admit(_ account: String, at now: Duration) -> CircuitBreaker.Admission {
            if accounts[account]?.breaker.isOpen == true, accounts.values.allSatisfy(\.breaker.isOpen),
                accounts.contains(where: { $0.key != account && $0.value.breaker.isProbing(at: now) })
            {
                return .refused(retryAfter: .seconds(1))
            }
            return accounts[account, default: Account()].breaker.admit(at: now)
        }
    }

    /// Numbers for metrics and readiness.
    package struct Figures: Hashable, Sendable {
        /// Signatures that are being made.
        package let inFlight: Int
        /// Signatures that requests may ask for now.
        package let available: Int
        /// Signatures and tries that were refused without asking Google.
        package let refused: Int
        /// Whether an account's calls are stopped since too many failed.
        package let isPaused: Bool
        /// Google's refusal, while it accepts no calls since the quota is used up.
        package let exhaustion: RemoteSigningError?
    }

    private let maxInFlight: Int
    private let state: Guarded<State>
    private let report: @Sendable (_ account: String, CircuitBreaker.Change) -> Void

    /// A governor of a quota. `report` is called for each change of an account's state that is worth a line in the log, on the
    /// thread where it happens.
    package init(
        _ quota: SigningQuota, maxInFlight: Int = usualInFlight,
        report: @escaping @Sendable (_ account: String, CircuitBreaker.Change) -> Void
    ) {
        self.maxInFlight = maxInFlight
        self.report = report
        state = Guarded(State(quota: quota))
    }

    /// Goes on with these accounts, and with the numbers of another quota, of which nothing has been used.
    package func start(_ quota: SigningQuota, of accounts: Set<String>, at now: Duration) {
        state.withLock { state in
            state.quota.change(to: quota, at: now)
            state.configured = accounts
            for account in state.accounts.keys { state.forgetIfRemoved(account) }
        }
    }

    /// The numbers at this time.
    package func figures(at now: Duration) -> Figures {
        state.withLock { state in
            Figures(
                inFlight: state.requests + state.refreshes, available: state.quota.available(at: now),
                refused: state.refused, isPaused: state.accounts.values.contains(where: \.breaker.isOpen),
                exhaustion: state.exhaustion(at: now))
        }
    }

    /// Begins a signature; `leave` ends it. Throws if too many are being made.
    func enter(_ urgency: SigningUrgency, for account: String) throws(RemoteSigningError) {
        let isFull = state.withLock { state in
            guard state.hasPlace(of: maxInFlight, urgency, for: account) else {
                state.refused += 1
                return true
            }
            state.add(1, urgency, for: account)
            return false
        }
        guard isFull else { return }
        throw RemoteSigningError(
            reason: "\(maxInFlight) signatures are being made; waiting for some of them to end", retryAfter: 1,
            .awaitSignatures, isOurLimit: true)
    }

    /// Ends a signature.
    func leave(_ urgency: SigningUrgency, for account: String) {
        state.withLock { $0.add(-1, urgency, for: account) }
    }

    /// Asks for one call to Google, whose outcome must be given to `ended`. Throws if the quota is used up or calls are
    /// stopped.
    func admit(
        _ urgency: SigningUrgency, for account: String, at now: Duration
    ) throws(RemoteSigningError) -> CircuitBreaker.Permit {
        try state.withLock { state throws(RemoteSigningError) in
            switch state.admit(account, at: now) {
            case .refused(let wait):
                state.refused += 1
                let last = state.accounts[account]?.lastFailure
                let cause = last.map { ": \($0.reason)" } ?? ""
                throw RemoteSigningError(
                    reason: "remote signing is paused, since too many calls failed\(cause)",
                    retryAfter: wait.wholeSeconds, last?.remedy ?? .diagnose)
            case .allowed(let permit):
                guard let wait = state.quota.take(urgency, at: now) else { return permit }
                state.refused += 1
                // No change: an outcome that says nothing never causes one.
                _ = state.accounts[account]?.breaker.record(.unknown, of: permit, at: now)
                let told = state.exhaustion(at: now)
                throw RemoteSigningError(
                    reason: told?.reason ?? "the quota of signatures is used up (signing.quota_share)",
                    retryAfter: wait.wholeSeconds, told?.remedy ?? Self.quotaRemedy, isOurLimit: true)
            }
        }
    }

    private static let quotaRemedy = Remedy(
        "raise signing.quota and signing.quota_share as far as the project's quota at Google allows")

    /// Records how a call ended, and why it failed.
    func ended(
        _ permit: CircuitBreaker.Permit, _ outcome: CircuitBreaker.Outcome, _ error: RemoteSigningError? = nil,
        for account: String, at now: Duration
    ) {
        let change = state.withLock { state in
            if outcome == .failure { state.accounts[account]?.lastFailure = error }
            return state.accounts[account]?.breaker.record(outcome, of: permit, at: now) ?? nil
        }
        if let change { report(account, change) }
    }

    /// Google says that the quota is used up, for this time.
    func exhausted(for pause: Duration, _ error: RemoteSigningError, at now: Duration) {
        state.withLock { $0.exhaust(for: pause, error, at: now) }
    }
}
