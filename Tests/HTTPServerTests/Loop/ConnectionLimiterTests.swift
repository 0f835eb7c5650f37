import Testing

@testable import HTTPServer

struct ConnectionLimiterTests {
    private func ipv4(_ address: UInt64) -> PeerAddress { PeerAddress(high: 0, low: 0xffff_0000_0000 | address) }

    @Test func `as many connections are counted as there may be in all`() {
        let limiter = ConnectionLimiter(maxTotal: 3, maxPerAddress: 100)
        #expect((0..<5).map { limiter.opened(ipv4($0)) } == [true, true, true, false, false])
        limiter.closed(ipv4(0))
        #expect(limiter.opened(ipv4(9)))
        #expect(!limiter.opened(ipv4(9)))
    }

    @Test func `as many connections are counted as an address may have`() {
        let limiter = ConnectionLimiter(maxTotal: 100, maxPerAddress: 2)
        #expect((0..<3).map { _ in limiter.opened(ipv4(1)) } == [true, true, false])
        #expect(limiter.opened(ipv4(2)))
        limiter.closed(ipv4(1))
        #expect(limiter.opened(ipv4(1)))
        #expect(!limiter.opened(ipv4(1)))
    }

    @Test func `a refused connection is not counted`() {
        let limiter = ConnectionLimiter(maxTotal: 3, maxPerAddress: 1)
        #expect(limiter.opened(ipv4(1)))
        for _ in 0..<10 { #expect(!limiter.opened(ipv4(1))) }
        #expect(limiter.opened(ipv4(2)))
        #expect(limiter.opened(ipv4(3)))
        #expect(!limiter.opened(ipv4(4)))
    }

    @Test func `an IPv6 subscriber is a /64, an IPv4 subscriber one address`() {
        let limiter = ConnectionLimiter(maxTotal: 100, maxPerAddress: 1)
        #expect(limiter.opened(PeerAddress(high: 0x2001_0db8_0000_0001, low: 1)))
        #expect(!limiter.opened(PeerAddress(high: 0x2001_0db8_0000_0001, low: .max)))
        #expect(limiter.opened(PeerAddress(high: 0x2001_0db8_0000_0002, low: 1)))
        #expect(limiter.opened(ipv4(0x7f00_0001)))
        #expect(limiter.opened(ipv4(0x7f00_0002)))
    }

    @Test func `peers without an address are limited in all and not apart`() {
        let limiter = ConnectionLimiter(maxTotal: 3, maxPerAddress: 1)
        #expect((0..<4).map { _ in limiter.opened(nil) } == [true, true, true, false])
        limiter.closed(nil)
        #expect(limiter.opened(nil))
    }

    @Test func `counts from many threads add up`() async {
        let limiter = ConnectionLimiter(maxTotal: 64, maxPerAddress: 64)
        await withTaskGroup(of: Void.self) { group in
            for task in UInt64(0)..<8 {
                group.addTask {
                    for _ in 0..<2000 where limiter.opened(self.ipv4(task % 2)) { limiter.closed(self.ipv4(task % 2)) }
                }
            }
        }
        #expect((0..<65).map { _ in limiter.opened(ipv4(5)) } == [Bool](repeating: true, count: 64) + [false])
    }
}
