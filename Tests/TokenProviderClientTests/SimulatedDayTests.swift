import Foundation
import Testing

@testable import TokenProviderClient

/// Ten thousand calls in a day of tokens that live two minutes.
@Suite struct SimulatedDayTests {
    @Test(arguments: [0, 86_400, -7200])
    func `no token is dead or within its margin`(ahead: TimeInterval) throws {
        var day = SimulatedDay(ahead: ahead, seed: 21)
        for _ in 1...10_000 {
            try day.pass(8.64)
            try day.call()
        }
        try day.pass(60)
        #expect(day.least > SimulatedDay.margin)
        #expect(day.served == 10_000)
        // A token may be used for 109 s; its renewal begins with 33 s to 44 s left, and each fourth request fails.
        #expect((1000...1800).contains(day.requests), "\(day.requests) requests")
    }

    @Test(arguments: [UInt64](1...8))
    func `no token is dead when clocks are set and the device sleeps`(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        // Where the monotonic clock stops during sleep (Linux), the clock is not set back in the same minutes.
        let stops = seed % 2 == 0
        var day = SimulatedDay(ahead: .random(in: -86_400...86_400, using: &random), seed: seed)
        for call in 1...10_000 {
            try day.pass(8.64)
            if call % 97 == 0 { day.setClock(by: .random(in: (stops ? 0 : -3600)...3600, using: &random)) }
            if call % 89 == 0 { day.sleep(.random(in: 0...600, using: &random), stopsClock: stops) }
            try day.call()
        }
        try day.pass(60)
        #expect(day.least > SimulatedDay.margin)
        // A call that waits while the device sleeps may come too late.
        #expect(day.served > 9900)
        #expect(
            Set(day.failures).isSubset(of: [
                "unreachable -1001", "unreachable -1005", "unavailable signing_unavailable",
            ]))
    }
}
