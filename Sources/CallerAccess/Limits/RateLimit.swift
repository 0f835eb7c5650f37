/// How often a caller may ask: a rate, and how many requests may come at once after a pause.
package struct RateLimit: Hashable, Sendable {
    /// The lowest and the highest rate, in requests per second.
    package static let rates = 0.001...1_000_000
    /// The smallest and the largest burst, in requests.
    package static let bursts = 1...1_000_000

    /// Requests per second in the long run; 0.5 is one every two seconds.
    package let requestsPerSecond: Double
    /// Requests that may come at once after a pause.
    package let burst: Int
    /// Nanoseconds from one request to the next, rounded up so that the rate is never passed.
    let interval: UInt64

    /// A limit of numbers within these ranges, as settings are.
    package init(requestsPerSecond: Double, burst: Int) {
        precondition(Self.rates.contains(requestsPerSecond) && Self.bursts.contains(burst))
        self.requestsPerSecond = requestsPerSecond
        self.burst = burst
        interval = UInt64((1e9 / requestsPerSecond).rounded(.up))
    }

    /// Whether a request at `now` is within the limit of a bucket that will be full at `fullAt`, both in nanoseconds.
    func verdict(fullAt: UInt64, at now: UInt64) -> RateLimiter.Verdict {
        let missing = fullAt > now ? fullAt - now : 0
        let mayMiss = UInt64(burst - 1) * interval
        guard missing > mayMiss else { return .allowed }
        return .exceeded(retryAfter: Int64((missing - mayMiss - 1) / 1_000_000_000 + 1))
    }
}
