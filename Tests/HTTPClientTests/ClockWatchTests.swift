import Concurrency
import Testing

@testable import HTTPClient

@Suite struct ClockWatchTests {
    /// 2027-01-15T08:00:00Z.
    private static let noon: Int64 = 1_800_000_000
    private static let date = "Fri, 15 Jan 2027 08:00:00 GMT"

    private func difference(_ fields: [(String, String)], sentAt: Int64, took: Int64 = 0) throws -> ClockDifference? {
        let response = HTTPClientResponse(
            status: 403, fields: try fields.map { try HTTPClientField($0, $1) },
            body: HTTPClientBody([], isProven: true))
        return ClockDifference(response, from: "a.test:443", sentAt: sentAt, receivedAt: sentAt + took)
    }

    @Test(
        arguments: [
            (0, 0, 0), (-1, 0, 0), (1, 0, 0), (-10, 10, 0), (-5, 10, 0), (60, 0, 60), (60, 9, 60), (-60, 0, -60),
            (-60, 9, -51), (30, 0, 30), (31, 0, 31),
        ] as [(Int64, Int64, Int64)])
    func `the difference is the least that fits`(sent: Int64, took: Int64, seconds: Int64) throws {
        let difference = try difference([("date", Self.date)], sentAt: Self.noon + sent, took: took)
        #expect(difference?.seconds == seconds)
        #expect(difference?.exceeds(30) == (abs(seconds) > 30))
    }

    @Test func `a cached answer is as old as it says`() throws {
        let fields = [("date", Self.date), ("age", "3600")]
        #expect(try difference(fields, sentAt: Self.noon + 3600)?.seconds == 0)
        for age in ["-1", "x", ""] {
            #expect(try difference([("date", Self.date), ("age", age)], sentAt: Self.noon)?.seconds == 0)
        }
        #expect(try difference([("date", Self.date), ("age", "9223372036854775807")], sentAt: 0)?.exceeds(30) == true)
    }

    @Test func `an answer without a date tells nothing`() throws {
        #expect(try difference([], sentAt: Self.noon) == nil)
        #expect(try difference([("date", "yesterday")], sentAt: Self.noon) == nil)
    }

    @Test func `the first difference beyond the tolerance is reported, once until all agree`() throws {
        let now = Guarded(Self.noon)
        // Both clocks run alike, since neither is set.
        let watch = ClockWatch(clock: { now.withLock { $0 } }, uptime: { now.withLock { $0 } - Self.noon })
        let reports = Guarded<[String]>([])
        watch.report { difference in reports.withLock { $0.append("\(difference.endpoint) \(difference.seconds)") } }
        let answer = HTTPClientResponse(
            status: 200, fields: [try HTTPClientField("date", Self.date)], body: HTTPClientBody([], isProven: true))
        func fetch(_ endpoint: String, ahead seconds: Int64) {
            now.withLock { $0 = Self.noon + seconds }
            watch.comparison(with: endpoint)(answer)
        }
        #expect(watch.least == nil && watch.intolerable == nil)
        for seconds in [60, -60, 61, 90] as [Int64] { fetch("a.test:443", ahead: seconds) }
        fetch("b.test:443", ahead: 1200)
        #expect(reports.withLock { $0 } == ["a.test:443 61"])
        #expect(watch.differences.map(\.seconds) == [90, 1200] && watch.least?.seconds == 90)
        #expect(watch.intolerable?.endpoint == "b.test:443")
        for endpoint in ["a.test:443", "b.test:443"] { fetch(endpoint, ahead: 0) }
        #expect(watch.intolerable == nil)
        fetch("b.test:443", ahead: -61)
        #expect(reports.withLock { $0 } == ["a.test:443 61", "b.test:443 -61"])
    }

    @Test func `a difference ends with a set clock or a forgotten answer`() throws {
        let now = Guarded(Self.noon + 1200)
        let up = Guarded<Int64>(100)
        let watch = ClockWatch(clock: { now.withLock { $0 } }, uptime: { up.withLock { $0 } })
        let answer = HTTPClientResponse(
            status: 200, fields: [try HTTPClientField("date", Self.date)], body: HTTPClientBody([], isProven: true))
        watch.comparison(with: "a.test:443")(answer)
        #expect(watch.intolerable?.seconds == 1200)
        now.withLock { $0 -= 1200 }
        #expect(watch.intolerable == nil && watch.differences.isEmpty)
        now.withLock { $0 += 1260 }
        up.withLock { $0 += 60 }
        #expect(watch.intolerable?.seconds == 1200)
        watch.forget(before: 100_000_000_000)
        #expect(watch.intolerable?.seconds == 1200)
        watch.forget(before: 101_000_000_000)
        #expect(watch.differences.isEmpty)
    }

    @Test func `answers of very many services are not all kept`() throws {
        let watch = ClockWatch { Self.noon }
        let answer = HTTPClientResponse(
            status: 200, fields: [try HTTPClientField("date", Self.date)], body: HTTPClientBody([], isProven: true))
        for number in 0..<200 { watch.comparison(with: "\(number).test:443")(answer) }
        #expect(watch.differences.count == 64)
    }
}
