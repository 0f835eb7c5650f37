import FleetEngineToken
import Testing

@testable import TokenService

@Suite struct RefreshScheduleTests {
    private typealias Schedule = RefreshSchedule<Entry>

    /// One that takes as many bytes as its number says, at least one.
    private struct Entry: ExpiringEntry, Hashable, ExpressibleByIntegerLiteral {
        let bytes: Int

        init(integerLiteral number: Int) { bytes = max(1, number) }
    }

    @Test func `entries are due at their second, earliest first`() {
        var schedule = Schedule(maxBytes: 10_000)
        for second in [30, 10, 20] as [Entry] { schedule.insert(second, at: Int64(second.bytes)) }
        #expect(schedule.takeDue(at: 9, atMost: 10) == [])
        #expect(schedule.takeDue(at: 20, atMost: 10) == [10, 20])
        #expect(schedule.takeDue(at: .max - 1, atMost: 10) == [30])
        #expect(schedule.count == 0)
    }

    @Test func `at most the limit is taken and the rest stays due`() {
        var schedule = Schedule(maxBytes: 10_000)
        let entries = (1...100).map { Entry(integerLiteral: $0) }
        for entry in entries { schedule.insert(entry, at: Int64(entry.bytes / 10)) }
        var taken: [Entry] = []
        while case let due = schedule.takeDue(at: 100, atMost: 7), !due.isEmpty {
            #expect(due.count <= 7)
            taken += due
        }
        #expect(taken.count == 100 && Set(taken) == Set(entries))
        #expect(schedule.takeDue(at: 100, atMost: 0) == [])
    }

    @Test func `a schedule takes entries of as many bytes as it may`() {
        var schedule = Schedule(maxBytes: 50)
        let insertions = ([20, 20, 20, 10] as [Entry]).map { schedule.insert($0, at: 1) }
        #expect(insertions == [true, true, false, true])
        #expect(schedule.takeDue(at: 1, atMost: 2) == [20, 10])
        let again = ([40, 30] as [Entry]).map { schedule.insert($0, at: 0) }
        #expect(again == [false, true])
        #expect(schedule.takeAll().values.reduce(0) { $0 + $1.count } == 2)
        let whole = schedule.insert(50, at: 1)
        #expect(whole && schedule.takeAll().count == 1)
        #expect(schedule.count == 0)
        #expect(schedule.takeDue(at: 9, atMost: 9) == [])
    }

    @Test func `outdated entries give their bytes back within an interval`() {
        var schedule = Schedule(maxBytes: 50)
        for entry in [10, 20, 5] as [Entry] { schedule.insert(entry, at: 1000) }
        schedule.insert(15, at: 1007)
        for now in 0..<Schedule.sweepInterval { schedule.sweep(at: now) { $0.bytes > 9 && $1 == 1000 } }
        #expect(schedule.count == 2)
        let insertions = ([30, 1] as [Entry]).map { schedule.insert($0, at: 2000) }
        #expect(insertions == [true, false])
        for now in 0..<Schedule.sweepInterval { schedule.sweep(at: now) { entry, _ in entry.bytes < 30 } }
        #expect(schedule.takeDue(at: 3000, atMost: 9) == [30])
    }

    @Test func `an entry for an earlier second is found`() {
        var schedule = Schedule(maxBytes: 10_000)
        schedule.insert(1, at: 50)
        schedule.insert(2, at: 40)
        #expect(schedule.takeDue(at: 45, atMost: 9) == [2])
        schedule.insert(3, at: 45)
        #expect(schedule.takeDue(at: 45, atMost: 9) == [3])
    }

    @Test(arguments: [(0, 1155), (0.5, 1320), (0.9999, 1484)] as [(Double, Int64)])
    func `a renewal is due between 35 and 45 percent of the time`(jitter: Double, seconds: Int64) {
        #expect(Schedule.renewal(signedAt: 1000, expiresAt: 4300, jitter: jitter) == 1000 + seconds)
    }

    @Test(
        arguments: [(1, 0, 10), (5, 1, 15), (100, 0.5, 125), (nil, 0, 60), (.max, 0, 3600)] as [(Int?, Double, Int64)])
    func `a retry comes after ten seconds or what the signer says`(after: Int?, jitter: Double, seconds: Int64) {
        #expect(Schedule.retry(after: after, at: 1000, jitter: jitter) == 1000 + seconds)
    }
}

@Suite struct RemoteOutagesTests {
    private var outages = RemoteOutages()

    private func error(_ reason: String = "", isFinal: Bool = false) -> RemoteSigningError {
        RemoteSigningError(reason: reason, retryAfter: isFinal ? nil : 1, .diagnose)
    }

    @Test mutating func `a failure that only the operator can fix is logged at once`() {
        let begins = (0..<3).map { outages.failed("a@b", at: 100 + $0, error(isFinal: true)) }
        #expect(begins == [true, false, false])
        let seconds = outages.succeeded("a@b", at: 103)
        #expect(seconds == 3)
    }

    @Test mutating func `an outage begins with the fifth failure in a row`() {
        let begins = (0..<10).map { outages.failed("a", at: 1000 + $0, error()) }
        #expect(begins.firstIndex(of: true) == 4)
        #expect(begins.filter { $0 }.count == 1)
        let seconds = outages.succeeded("a", at: 1104)
        #expect(seconds == 100)
        let again = outages.succeeded("a", at: 1105)
        #expect(again == nil)
    }

    @Test mutating func `an outage begins with a failure five seconds after the first`() {
        let begins = [1000, 1004, 1005].map { outages.failed("a", at: $0, error()) }
        #expect(begins == [false, false, true])
    }

    @Test mutating func `accounts have outages of their own`() {
        let first = (0..<4).map { outages.failed("a", at: $0, error()) }
        #expect(!first.contains(true))
        let other = outages.failed("b", at: 3, error())
        #expect(!other)
        _ = outages.succeeded("b", at: 3)
        let begins = outages.failed("a", at: 4, error())
        #expect(begins)
    }

    @Test mutating func `an account that fails again and again is logged once a minute`() {
        var lines = 0
        for second in 0..<Int64(60) {
            for _ in 0..<6 where outages.failed("a", at: 1000 + second, error()) { lines += 1 }
            _ = outages.succeeded("a", at: 1000 + second)
        }
        #expect(lines == 1)
    }

    @Test mutating func `an outage lasts until a success, logged or not`() {
        for second in 0..<Int64(5) { _ = outages.failed("a", at: 100 + second, error("no route to Google")) }
        #expect(outages.current == [RemoteOutage(account: "a", since: 104, error: error("no route to Google"))])
        _ = outages.failed("a", at: 110, error("HTTP 503"))
        #expect(outages.current.map(\.error.reason) == ["HTTP 503"])
        _ = outages.succeeded("a", at: 120)
        #expect(outages.current.isEmpty)
        // Too soon for another line in the log, but an outage nevertheless.
        let isLogged = outages.failed("a", at: 121, error("HTTP 403", isFinal: true))
        #expect(!isLogged)
        #expect(outages.current.map(\.since) == [121])
    }
}
