import Testing

@testable import CallerAccess

@Suite struct RateLimitTests {
    @Test(arguments: [(0.001, 1), (0.5, 1), (1_000_000, 1_000_000), (3, 7)])
    func `values within the ranges make a limit`(rate: Double, burst: Int) {
        let limit = RateLimit(requestsPerSecond: rate, burst: burst)
        #expect(limit.requestsPerSecond == rate)
        #expect(limit.burst == burst)
    }

    @Test(arguments: [0.001, 0.3, 3, 7, 999, 700_000, 999_999, 1_000_000])
    func `the interval is never shorter than the rate requires`(rate: Double) {
        let interval = Double(RateLimit(requestsPerSecond: rate, burst: 1).interval)
        #expect((0..<1).contains(interval - 1e9 / rate))
    }
}
