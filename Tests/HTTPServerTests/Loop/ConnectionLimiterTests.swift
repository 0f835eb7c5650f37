import Synchronization
import Testing

@testable import HTTPServer

/// A limiter, and the loop's mailbox that receives its evictions.
private final class Limited: Sendable {
    let limiter: ConnectionLimiter
    let mailbox: Mailbox
    private let opened = Atomic<UInt64>(0)

    init(maxTotal: Int, maxPerAddress: Int) throws {
        limiter = ConnectionLimiter(maxTotal: maxTotal, maxPerAddress: maxPerAddress)
        mailbox = try Mailbox()
    }

    /// Opens the next connection; its place if it is within the limits, otherwise nil.
    func open(_ address: IPAddress?) -> ConnectionPlace? {
        let (place, isAdmitted) = tryOpen(address)
        return isAdmitted ? place : nil
    }

    func tryOpen(_ address: IPAddress?) -> (place: ConnectionPlace, isAdmitted: Bool) {
        let number = opened.wrappingAdd(1, ordering: .relaxed).newValue
        let place = ConnectionPlace(connection: number, mailbox: mailbox)
        return (place, limiter.opened(place, from: address).isAdmitted)
    }

    /// The connections that were evicted since the last call, numbered from 1.
    func evicted() -> [UInt64] {
        mailbox.takeAll().compactMap(HTTPServerTests.evicted)
    }
}

/// The connection that a message evicts.
private func evicted(_ message: Mailbox.Message) -> UInt64? {
    if case .evicted(let connection) = message { connection } else { nil }
}

struct ConnectionLimiterTests {
    /// Connections over the limit that may still send a request: in total and per subscriber.
    private static let reserve = 64
    private static let reservePerAddress = 4

    private func ipv4(_ address: UInt64) -> IPAddress { IPAddress(high: 0, low: 0xffff_0000_0000 | address) }

    @Test func `beyond the total limit a full reserve evicts its oldest connection`() throws {
        let limited = try Limited(maxTotal: 3, maxPerAddress: 100)
        let opened = (1...70).map { limited.tryOpen(ipv4(UInt64($0))) }
        #expect(opened.map(\.isAdmitted) == (1...70).map { $0 <= 3 })
        #expect(limited.evicted() == [4, 5, 6])
        // A connection that was evicted but is not closed yet is not evicted again.
        _ = limited.open(ipv4(71))
        #expect(limited.evicted() == [7])
    }

    @Test func `beyond the limit per address a smaller reserve evicts its oldest`() throws {
        let limited = try Limited(maxTotal: 100, maxPerAddress: 2)
        #expect((1...9).map { _ in limited.open(ipv4(1)) != nil } == (1...9).map { $0 <= 2 })
        #expect(limited.evicted() == [3, 4, 5])
        #expect(limited.open(ipv4(2)) != nil)
        #expect(limited.evicted().isEmpty)
    }

    @Test func `only a closed admitted connection frees a place, not a reserve one`() throws {
        let limited = try Limited(maxTotal: 100, maxPerAddress: 1)
        let admitted = try #require(limited.open(ipv4(1)))
        let reserve = (0..<Self.reservePerAddress).map { _ in limited.tryOpen(ipv4(1)).place }
        limited.limiter.closed(reserve[0], from: ipv4(1))
        #expect(limited.open(ipv4(1)) == nil)
        #expect(limited.evicted().isEmpty)
        limited.limiter.closed(admitted, from: ipv4(1))
        #expect(limited.open(ipv4(1)) != nil)
        #expect(limited.open(ipv4(1)) == nil)
        #expect(limited.evicted() == [reserve[1].connection])
    }

    @Test func `evicted connections may close in any order without shrinking the reserve`() throws {
        let limited = try Limited(maxTotal: 0, maxPerAddress: 0)
        var places = (1...6).map { _ in limited.tryOpen(ipv4(1)).place }
        #expect(limited.evicted() == [1, 2])
        for index in [1, 4, 0] { limited.limiter.closed(places[index], from: ipv4(1)) }
        places += (7...9).map { _ in limited.tryOpen(ipv4(1)).place }
        #expect(limited.evicted() == [3, 4])
        for index in [2, 3, 5, 6, 7, 8] { limited.limiter.closed(places[index], from: ipv4(1)) }
        #expect((10...13).map { _ in limited.open(ipv4(1)) } == [nil, nil, nil, nil])
        #expect(limited.evicted().isEmpty)
    }

    @Test func `a connection beyond both limits releases both places`() throws {
        let limited = try Limited(maxTotal: 1, maxPerAddress: 1)
        let admitted = try #require(limited.open(ipv4(1)))
        let beyond = limited.tryOpen(ipv4(1)).place
        limited.limiter.closed(beyond, from: ipv4(1))
        limited.limiter.closed(admitted, from: ipv4(1))
        #expect(limited.open(ipv4(1)) != nil)
        #expect(limited.open(ipv4(2)) == nil)
    }

    @Test func `the oldest connection is evicted even if loops share connection numbers`() throws {
        let limiter = ConnectionLimiter(maxTotal: 100, maxPerAddress: 0)
        let mailboxes = [try Mailbox(), try Mailbox()]
        for number in UInt64(1)...3 {
            for mailbox in mailboxes {
                _ = limiter.opened(ConnectionPlace(connection: number, mailbox: mailbox), from: ipv4(1))
            }
        }
        limiter.closed(ConnectionPlace(connection: 2, mailbox: mailboxes[1]), from: ipv4(1))
        _ = limiter.opened(ConnectionPlace(connection: 9, mailbox: mailboxes[0]), from: ipv4(1))
        _ = limiter.opened(ConnectionPlace(connection: 9, mailbox: mailboxes[1]), from: ipv4(1))
        let evictions = mailboxes.map { $0.takeAll().compactMap(evicted) }
        #expect(evictions == [[1, 2], [1]])
    }

    @Test func `a subscriber is one IPv4 address or one IPv6 /64`() throws {
        let limited = try Limited(maxTotal: 100, maxPerAddress: 1)
        #expect(limited.open(IPAddress(high: 0x2001_0db8_0000_0001, low: 1)) != nil)
        #expect(limited.open(IPAddress(high: 0x2001_0db8_0000_0001, low: .max)) == nil)
        #expect(limited.open(IPAddress(high: 0x2001_0db8_0000_0002, low: 1)) != nil)
        #expect(limited.open(ipv4(0x7f00_0001)) != nil)
        #expect(limited.open(ipv4(0x7f00_0002)) != nil)
    }

    @Test func `peers without an address count only toward the total limit`() throws {
        let limited = try Limited(maxTotal: 3, maxPerAddress: 1)
        #expect((1...70).map { _ in limited.open(nil) != nil } == (1...70).map { $0 <= 3 })
        #expect(limited.evicted() == [4, 5, 6])
    }

    @Test func `an announced address counts per address but not again in total`() throws {
        let limited = try Limited(maxTotal: 100, maxPerAddress: 2)
        let places = try (0..<100).map { _ in try #require(limited.open(nil)) }
        let announced = places[..<8].map { limited.limiter.announced($0, for: ipv4(1)).isAdmitted }
        #expect(announced == (1...8).map { $0 <= 2 })
        #expect(limited.evicted() == [3, 4])
        #expect(limited.limiter.announced(places[8], for: ipv4(2)).isAdmitted)
        for place in places[..<8] { limited.limiter.closed(place, from: ipv4(1)) }
        #expect(limited.open(ipv4(1)) != nil)
        #expect(limited.limiter.announced(places[9], for: ipv4(1)).isAdmitted)
        #expect(!limited.limiter.announced(places[10], for: ipv4(1)).isAdmitted)
    }

    @Test func `connections of one address share an account until all are closed`() throws {
        let limited = try Limited(maxTotal: 100, maxPerAddress: 100)
        let place = ConnectionPlace(connection: 1_000, mailbox: limited.mailbox)
        let account = try #require(limited.limiter.opened(place, from: ipv4(1)).account)
        _ = limited.open(ipv4(2))
        #expect(limited.limiter.account(of: ipv4(1)) === account)
        #expect(limited.limiter.account(of: ipv4(2)) !== account)
        #expect(limited.limiter.announced(try #require(limited.open(nil)), for: ipv4(1)).account === account)
        limited.limiter.closed(place, from: ipv4(1))
        #expect(limited.limiter.account(of: ipv4(1)) === account)
        #expect(limited.limiter.account(of: ipv4(3)) == nil)
        #expect(limited.limiter.account(of: nil) == nil)
    }

    @Test func `a full budget puts a connection beyond the limits`() throws {
        let limited = try Limited(maxTotal: 100, maxPerAddress: 100)
        let place = ConnectionPlace(connection: 1_000, mailbox: limited.mailbox)
        #expect(!limited.limiter.opened(place, from: ipv4(1), isFull: true).isAdmitted)
        limited.limiter.closed(place, from: ipv4(1))
        #expect(limited.limiter.openConnections == 0)
    }

    @Test(arguments: zip([124, 125, 126, 127, 128], [0, 3, 4, 5, 6]))
    func `of the last places some are to be freed`(
        opened: Int, surplus: Int
    ) throws {
        let limited = try Limited(maxTotal: 128, maxPerAddress: 1)
        for number in 1...opened { _ = limited.open(ipv4(UInt64(number))) }
        #expect(limited.limiter.surplus.connections == surplus)
        #expect(limited.limiter.surplus.lastStep == (opened > 126 ? .stalled : .silent))
    }

    @Test(arguments: zip([62, 63, 64], [0, 2, 3]))
    func `of an address's last places some are to be freed`(opened: Int, surplus: Int) throws {
        let limited = try Limited(maxTotal: 1000, maxPerAddress: 64)
        let isCrowded = (1...opened).map { number in
            let place = ConnectionPlace(connection: UInt64(number), mailbox: limited.mailbox)
            return limited.limiter.opened(place, from: ipv4(1)).isAddressCrowded
        }
        #expect(isCrowded.filter { $0 }.count == opened - 62)
        #expect(limited.limiter.surplus(of: ipv4(1)) == surplus)
        #expect(limited.limiter.surplus(of: ipv4(2)) == 0 && limited.limiter.surplus.connections == 0)
    }

    @Test func `an address is over its share with a thirty-second of all places`() throws {
        let limited = try Limited(maxTotal: 64, maxPerAddress: 64)
        var isOverShare: [Bool] = []
        for _ in 0..<3 {
            _ = limited.open(ipv4(1))
            isOverShare.append(limited.limiter.isOverShare(ipv4(1)))
        }
        #expect(isOverShare == [false, false, true])
        #expect(!limited.limiter.isOverShare(ipv4(2)) && !limited.limiter.isOverShare(nil))
    }

    @Test func `counts from many threads add up`() async throws {
        let limited = try Limited(maxTotal: 64, maxPerAddress: 64)
        let (even, odd) = (ipv4(0), ipv4(1))
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    let address = task % 2 == 0 ? even : odd
                    for _ in 0..<2000 {
                        limited.limiter.closed(limited.tryOpen(address).place, from: address)
                    }
                }
            }
        }
        #expect(limited.evicted().isEmpty)
        #expect((1...66).map { _ in limited.open(ipv4(5)) != nil } == (1...66).map { $0 <= 64 })
    }
}
