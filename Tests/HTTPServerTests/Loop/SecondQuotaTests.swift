import Testing

@testable import HTTPServer

struct SecondQuotaTests {
    @Test func `each second allows the quota, counted from its first use`() {
        var quota = SecondQuota(3)
        let second: UInt64 = 1_000_000_000
        func taken(at now: UInt64) -> Int { (0..<10).count { _ in quota.take(at: now) } }
        #expect(taken(at: 5) == 3)
        #expect(taken(at: second + 4) == 0)
        #expect(taken(at: second + 5) == 3)
        #expect(taken(at: 9 * second) == 3)
        #expect(taken(at: 10 * second - 1) == 0)
    }
}
