import Testing

@testable import HTTPServerHTTP2

/// What a peer may send, under a clock that the test sets.
struct FloodGuardTests {
    private static let second: UInt64 = 1_000_000_000

    /// How many of these attempts are granted at one time.
    private func granted(_ tries: Int, at now: UInt64 = 0, _ take: (UInt64) -> Bool) -> Int {
        (0..<tries).count { _ in take(now) }
    }

    @Test func `an allowance can be used at once and refills with time`() {
        var allowance = Allowance(10, atOnce: 2, at: 0)
        #expect(granted(100) { allowance.take(at: $0) } == 20)
        #expect(granted(1, at: Self.second / 10 - 1) { allowance.take(at: $0) } == 0)
        #expect(granted(2, at: Self.second / 10) { allowance.take(at: $0) } == 1)
        #expect(granted(100, at: 100 * Self.second) { allowance.take(at: $0) } == 20)
    }

    @Test func `a pause does not refill an allowance beyond its maximum`() {
        var allowance = Allowance(10, atOnce: 2, at: 0)
        #expect(granted(5) { allowance.take(at: $0) } == 5)
        #expect(granted(100, at: 50 * Self.second) { allowance.take(at: $0) } == 20)
    }

    @Test func `giving back never exceeds the maximum`() {
        var allowance = Allowance(1, atOnce: 2, at: 5)
        allowance.giveBack(100)
        #expect(granted(100, at: 5) { allowance.take(at: $0) } == 2)
        // A clock that goes back adds nothing.
        #expect(granted(1, at: 4) { allowance.take(at: $0) } == 0)
    }

    @Test func `a request adds allowance for frames but not for resets`() {
        var flood = FloodGuard(
            HTTP2Limits(maxConcurrentStreams: 1, maxResetsPerSecond: 1, maxIdleFramesPerSecond: 1), at: 0)
        #expect(granted(100) { flood.countIdleFrame(at: $0) } == 10)
        #expect(granted(100) { flood.countReset(at: $0) } == 2)
        // One of these frames is the request's own HEADERS.
        flood.requestBegan()
        #expect(granted(100) { flood.countIdleFrame(at: $0) } == 5)
        #expect(granted(100) { flood.countReset(at: $0) } == 0)
    }
}
