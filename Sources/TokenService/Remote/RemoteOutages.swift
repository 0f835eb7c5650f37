import Concurrency
import FleetEngineToken
import GoogleCredentials
import StrictJSON

/// An account whose tokens cannot be signed.
package struct RemoteOutage: Hashable, Sendable {
    /// The account's e-mail address.
    package let account: String
    /// When the outage began, in seconds since the epoch.
    package let since: Int64
    /// Why the last signature failed, and what to do about it.
    package let error: RemoteSigningError

    /// What is wrong, and what to do about it.
    var failure: ProbeFailure {
        let since = CivilTime(clamping: since).rfc3339
        return ProbeFailure(
            "Google has signed no token of \(account) since \(since): \(error.reason)", error.remedy)
    }
}

/// Which accounts' tokens cannot be signed, so that the log has one line for each change instead of one for each token. The
/// token that failed last is tried again: a server that is not ready gets no requests by which it could become so.
/// Times are seconds since the epoch and are passed in.
struct RemoteOutages: Sendable {
    private struct Account {
        var failures = 0
        /// When the first of them was.
        var first: Int64?
        /// Since when signatures fail for long or for good; nil while they do not.
        var since: Int64?
        /// Whether the log says so.
        var isLogged = false
        /// An account that fails again and again is logged at most once in a minute.
        var log = LogInterval()
        /// Why the last signature failed.
        var error: RemoteSigningError?
        /// What was not signed, and when that was tried last.
        var order: RemoteOrder?
        var tried: Int64 = 0
    }

    /// So many failures in a row are an outage, and two that are so many seconds apart.
    private static let failures = 5, apart: Int64 = 5
    /// Seconds between two tries of an order during an outage.
    static let tryInterval: Int64 = 10

    private var accounts: [String: Account] = [:]

    /// The outages that last, ordered by account.
    var current: [RemoteOutage] {
        accounts.sorted { $0.key < $1.key }.compactMap { name, state in
            guard let since = state.since, let error = state.error else { return nil }
            return RemoteOutage(account: name, since: since, error: error)
        }
    }

    /// The orders to try again now, one of each outage that lasts.
    mutating func due(at now: Int64) -> [RemoteOrder] {
        accounts.keys.sorted().compactMap { name in
            guard let state = accounts[name], state.since != nil, let order = state.order,
                now - state.tried >= Self.tryInterval || now < state.tried
            else { return nil }
            accounts[name]?.tried = now
            return order
        }
    }

    /// Whether to log that an outage has begun. One that only the operator can fix begins at once.
    mutating func failed(
        _ account: String, at now: Int64, _ error: RemoteSigningError, _ order: RemoteOrder? = nil
    ) -> Bool {
        var state = accounts[account] ?? Account()
        defer { accounts[account] = state }
        state.failures += 1
        (state.error, state.tried) = (error, now)
        // One with a bound could not be signed once that has passed.
        if let order { state.order = order.withoutBound }
        let first = state.first ?? now
        state.first = first
        guard error.retryAfter == nil || state.failures >= Self.failures || now - first >= Self.apart else {
            return false
        }
        state.since = state.since ?? now
        guard !state.isLogged, state.log.isDue(at: now) else { return false }
        state.isLogged = true
        return true
    }

    /// Replaces what was not signed for each account. Where there is nothing, what failed is forgotten: it could never
    /// succeed, and the next failure begins another outage.
    mutating func replan(_ replacement: (RemoteOrder) -> RemoteOrder?) {
        for (name, state) in accounts {
            guard let order = state.order else { continue }
            let new = replacement(order)
            if new == nil { accounts[name] = Account(log: state.log) } else { accounts[name]?.order = new }
        }
    }

    /// How many seconds the logged outage took that ends with this success; nil if there was none.
    mutating func succeeded(_ account: String, at now: Int64) -> Int64? {
        guard let state = accounts[account], state.failures > 0 else { return nil }
        accounts[account] = Account(log: state.log)
        return state.isLogged ? state.since.map { max(0, now - $0) } : nil
    }
}
