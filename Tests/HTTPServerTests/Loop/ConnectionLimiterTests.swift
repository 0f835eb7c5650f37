import Testing

@testable import HTTPServer

struct ConnectionLimiterTests {
    /// Connections over the limit that are heard, in all and of one subscriber.
    private static let reserve = 64
    private static let reservePerAddress = 4

    private func ipv4(_ address: UInt64) -> IPAddress { IPAddress(high: 0, low: 0xffff_0000_0000 | address) }

    /// What so many connections are told, shortened to how often each was said; the order is always this one.
    private func told(_ count: Int, _ open: (Int) -> ConnectionLimiter.Admission) -> [Int] {
        let admissions = (0..<count).map(open)
        let order: [ConnectionLimiter.Admission] = [.admitted, .overLimit, .refused]
        let counts = order.map { admission in admissions.count { $0 == admission } }
        let sorted = zip(order, counts).flatMap { [ConnectionLimiter.Admission](repeating: $0, count: $1) }
        #expect(admissions == sorted)
        return counts
    }

    @Test func `as many connections are admitted as there may be in all, and a reserve is heard`() {
        let limiter = ConnectionLimiter(maxTotal: 3, maxPerAddress: 100)
        #expect(told(70) { limiter.opened(ipv4(UInt64($0))) } == [3, Self.reserve, 3])
        for address in 0...UInt64(Self.reserve) { limiter.closed(ipv4(address)) }
        #expect(limiter.opened(ipv4(99)) == .admitted)
        #expect(limiter.opened(ipv4(99)) == .overLimit)
    }

    @Test func `as many connections are admitted as an address may have, and fewer than the reserve are heard`() {
        let limiter = ConnectionLimiter(maxTotal: 100, maxPerAddress: 2)
        #expect(told(9) { _ in limiter.opened(ipv4(1)) } == [2, Self.reservePerAddress, 3])
        #expect(limiter.opened(ipv4(2)) == .admitted)
        for _ in 0...Self.reservePerAddress { limiter.closed(ipv4(1)) }
        #expect(limiter.opened(ipv4(1)) == .admitted)
        #expect(limiter.opened(ipv4(1)) == .overLimit)
    }

    @Test func `a refused connection is not counted`() {
        let limiter = ConnectionLimiter(maxTotal: 100, maxPerAddress: 1)
        #expect(told(50) { _ in limiter.opened(ipv4(1)) } == [1, Self.reservePerAddress, 45])
        for _ in 0...Self.reservePerAddress { limiter.closed(ipv4(1)) }
        #expect(limiter.opened(ipv4(1)) == .admitted)
    }

    @Test func `an IPv6 subscriber is a /64, an IPv4 subscriber one address`() {
        let limiter = ConnectionLimiter(maxTotal: 100, maxPerAddress: 1)
        #expect(limiter.opened(IPAddress(high: 0x2001_0db8_0000_0001, low: 1)) == .admitted)
        #expect(limiter.opened(IPAddress(high: 0x2001_0db8_0000_0001, low: .max)) == .overLimit)
        #expect(limiter.opened(IPAddress(high: 0x2001_0db8_0000_0002, low: 1)) == .admitted)
        #expect(limiter.opened(ipv4(0x7f00_0001)) == .admitted)
        #expect(limiter.opened(ipv4(0x7f00_0002)) == .admitted)
    }

    @Test func `peers without an address are limited in all and not apart`() {
        let limiter = ConnectionLimiter(maxTotal: 3, maxPerAddress: 1)
        #expect(told(70) { _ in limiter.opened(nil) } == [3, Self.reserve, 3])
    }

    @Test func `an announced address is counted among its own, and not once more in all`() {
        let limiter = ConnectionLimiter(maxTotal: 100, maxPerAddress: 2)
        #expect(told(100) { _ in limiter.opened(nil) } == [100, 0, 0])
        #expect(told(8) { _ in limiter.announced(ipv4(1)) } == [2, Self.reservePerAddress, 2])
        #expect(limiter.announced(ipv4(2)) == .admitted)
        for _ in 0...Self.reservePerAddress { limiter.closed(ipv4(1)) }
        #expect(limiter.opened(ipv4(1)) == .admitted)
        #expect(limiter.announced(ipv4(1)) == .overLimit)
    }

    @Test func `counts from many threads add up`() async {
        let limiter = ConnectionLimiter(maxTotal: 64, maxPerAddress: 64)
        await withTaskGroup(of: Void.self) { group in
            for task in UInt64(0)..<8 {
                group.addTask {
                    for _ in 0..<2000 where limiter.opened(self.ipv4(task % 2)) != .refused {
                        limiter.closed(self.ipv4(task % 2))
                    }
                }
            }
        }
        #expect(told(70) { _ in limiter.opened(ipv4(5)) } == [64, Self.reservePerAddress, 2])
    }
}
