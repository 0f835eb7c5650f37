/// When an access token is fetched, and which one is used meanwhile: a state machine without a clock and without a network.
/// Times are seconds since the epoch.
struct AccessTokenSchedule: Sendable {
    /// The answer to a request for a token.
    enum Answer: Sendable {
        case token(AccessToken)
        /// Nothing is asked for a while after a failure.
        case failed(AccessTokenError)
        /// A fetch is pending, whose result is the answer.
        case wait
    }

    /// Seconds before its expiry from which a token is renewed while it is used.
    static let usualMargin: Int64 = 300
    /// Seconds before its expiry from which a token is not used any more, since a request takes time.
    static let reserve: Int64 = 10
    /// The longest pause after failures, in seconds.
    static let longestPause: Int64 = 30
    /// Seconds between two fetches for rejected tokens: a token that is refused for another reason than its age must not
    /// cause a fetch for each request.
    static let rejectionPause: Int64 = 30

    private enum Phase {
        case idle
        /// After failures, until this time.
        case pausing(until: Int64, AccessTokenError)
        case fetching
    }

    private struct Current {
        let token: AccessToken
        let renewsAt: Int64
        let endsAt: Int64
    }

    private let margin: Int64
    private var phase = Phase.idle
    private var current: Current?
    private var failures = 0
    private var nextRejection = Int64.min
    private(set) var lastError: AccessTokenError?

    init(margin: Int64 = usualMargin) { self.margin = margin }

    /// Answers a request for a token. If `begins`, a fetch counts as begun, for the answer or in the background.
    mutating func ask(at now: Int64) -> (answer: Answer, begins: Bool) {
        let begins = beginsFetch(at: now)
        if let current, now < current.endsAt { return (.token(current.token), begins) }
        if case .pausing(_, let error) = phase { return (.failed(error), begins) }
        return (.wait, begins)
    }

    /// Whether to begin a fetch now, because a token is missing or due for renewal; if so, it counts as begun.
    mutating func beginsFetch(at now: Int64) -> Bool {
        if let current, now < current.renewsAt { return false }
        switch phase {
        case .fetching: return false
        case .pausing(let until, _) where Self.isAhead(until, of: now, by: Self.longestPause): return false
        case .idle, .pausing:
            phase = .fetching
            return true
        }
    }

    /// The fetch brought a token.
    mutating func succeeded(_ token: AccessToken, at now: Int64) {
        // A metadata server may return a token that it cached: of a short rest, half is used before the next fetch.
        let half = max(0, token.expiresAt - now) / 2
        current = Current(
            token: token, renewsAt: token.expiresAt - min(margin, half),
            endsAt: token.expiresAt - min(Self.reserve, half))
        phase = .idle
        failures = 0
        lastError = nil
    }

    /// The fetch failed: again after 1, 2, 4 seconds and so on, of which `jitter`, 0 to 1, decides on the second half.
    mutating func failed(_ error: AccessTokenError, at now: Int64, jitter: Double) {
        let longest = min(Self.longestPause, 1 << min(Int64(failures), 5))
        let pause = Double(longest) * (1 + max(0, min(1, jitter))) / 2
        failures += 1
        lastError = error
        phase = .pausing(until: now + max(1, Int64(pause.rounded())), error)
    }

    /// A service refused the token (status 401). If it is the current one, it is not used any more, and a fetch may begin:
    /// once in `rejectionPause`. Whether it does; if so, it counts as begun.
    mutating func reject(_ token: AccessToken, at now: Int64) -> Bool {
        guard let current, current.token.hasSameValue(as: token),
            !Self.isAhead(nextRejection, of: now, by: Self.rejectionPause)
        else { return false }
        nextRejection = now + Self.rejectionPause
        self.current = nil
        return beginsFetch(at: now)
    }

    /// When the current token ends; nil if there is none that can be used.
    func validUntil(at now: Int64) -> Int64? {
        guard let current, now < current.endsAt else { return nil }
        return current.token.expiresAt
    }

    /// Seconds until a fetch may be due, at least 1.
    func pause(at now: Int64) -> Int64 {
        let due = max(current?.renewsAt ?? now, pauseEnd ?? now)
        return max(1, due - now)
    }

    private var pauseEnd: Int64? {
        if case .pausing(let until, _) = phase { until } else { nil }
    }

    /// Whether the time lies ahead, but no further than a pause is long: a clock may be set back.
    private static func isAhead(_ time: Int64, of now: Int64, by longest: Int64) -> Bool {
        now < time && time <= now + longest
    }
}
