/// Which accounts' tokens cannot be signed, so that the log has one line for each change instead of one for each token.
/// Times are seconds since the epoch and are passed in.
struct RemoteOutages: Sendable {
    private struct Account {
        var failures = 0
        /// When the outage began; nil while there is none.
        var since: Int64?
        /// When the last outage began.
        var last = Int64.min / 2
    }

    /// So many failures in a row are an outage.
    private static let failures = 5
    /// An account that fails again and again is logged at most once in so many seconds.
    private static let interval: Int64 = 60

    private var accounts: [String: Account] = [:]

    /// Whether an outage begins with this failure. One that only the operator can fix begins at once.
    mutating func failed(_ account: String, at now: Int64, isFinal: Bool = false) -> Bool {
        var state = accounts[account] ?? Account()
        defer { accounts[account] = state }
        state.failures += 1
        // The clock may have been set back.
        let isQuiet = now - state.last >= Self.interval || now < state.last
        guard state.since == nil, isFinal || state.failures >= Self.failures, isQuiet else { return false }
        (state.since, state.last) = (now, now)
        return true
    }

    /// How many seconds the outage took that ends with this success; nil if there was none.
    mutating func succeeded(_ account: String, at now: Int64) -> Int64? {
        guard let state = accounts[account], state.failures > 0 else { return nil }
        accounts[account]?.failures = 0
        accounts[account]?.since = nil
        return state.since.map { max(0, now - $0) }
    }
}
