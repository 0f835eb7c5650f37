import Testing

@testable import CallerAccess

@Suite struct RateLimitTests {
    @Test(arguments: [(0.001, 1), (0.5, 1), (1_000_000, 1_000_000), (3, 7)])
    func `values within the ranges make a limit`(rate: Double, burst: Int) throws {
        let limit = try RateLimit(requestsPerSecond: rate, burst: burst)
        #expect(limit.requestsPerSecond == rate)
        #expect(limit.burst == burst)
    }

    @Test(arguments: [0.001, 0.3, 3, 7, 999, 700_000, 999_999, 1_000_000])
    func `the interval is never shorter than the rate requires`(rate: Double) throws {
        let interval = Double(try RateLimit(requestsPerSecond: rate, burst: 1).interval)
        #expect((0..<1).contains(interval - 1e9 / rate))
    }

    @Test(arguments: [0, -1, -0.0, 0.000_999, 1_000_000.1, .infinity, -.infinity, .leastNonzeroMagnitude])
    func `a rate out of range is refused`(rate: Double) {
        #expect(throws: RateLimitError.rateOutOfRange(rate)) { try RateLimit(requestsPerSecond: rate, burst: 1) }
    }

    @Test func `a rate that is not a number is refused`() {
        #expect(throws: RateLimitError.self) { try RateLimit(requestsPerSecond: .nan, burst: 1) }
    }

    @Test(arguments: [0, -1, 1_000_001, .min, .max])
    func `a burst out of range is refused`(burst: Int) {
        #expect(throws: RateLimitError.burstOutOfRange(burst)) { try RateLimit(requestsPerSecond: 1, burst: burst) }
    }

    @Test func `an error says what was wrong and what was expected`() {
        #expect(
            RateLimitError.rateOutOfRange(0).sentence
                == "the limit's rate is 0.0 requests per second; expected 0.001 to 1000000")
        #expect(RateLimitError.burstOutOfRange(0).sentence == "the limit's burst is 0 requests; expected 1 to 1000000")
    }
}
