import Testing

@testable import GoogleCredentials
@testable import HTTPClient

struct ClockDifferenceTests {
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
        #expect(difference?.isTolerable == (abs(seconds) <= 30))
    }

    @Test func `a cached answer is as old as it says`() throws {
        let fields = [("date", Self.date), ("age", "3600")]
        #expect(try difference(fields, sentAt: Self.noon + 3600)?.seconds == 0)
        for age in ["-1", "x", ""] {
            #expect(try difference([("date", Self.date), ("age", age)], sentAt: Self.noon)?.seconds == 0)
        }
        #expect(try difference([("date", Self.date), ("age", "9223372036854775807")], sentAt: 0)?.isTolerable == false)
    }

    @Test func `an answer without a date tells nothing`() throws {
        #expect(try difference([], sentAt: Self.noon) == nil)
        #expect(try difference([("date", "yesterday")], sentAt: Self.noon) == nil)
    }

    @Test func `of several answers the nearest counts`() async throws {
        let field = try HTTPClientField("date", Self.date)
        let service = FakeService(.ok("", [field]), .ok("", [field]), .failure(.shutDown))
        let times = TestLog<Int64>()
        let clocks = ClockComparison(service.send) {
            times.add(0)
            return Self.noon + (times.all.count > 2 ? 7 : 90)
        }
        #expect(clocks.least == nil)
        let request = try HTTPClientRequest(
            url: OutgoingURL("https://a.test/"),
            limits: HTTPClientLimits(connectTimeout: .seconds(1), totalTimeout: .seconds(1), maxBodyBytes: 1))
        for _ in 0..<3 { _ = try? await clocks.send(request) }
        #expect(clocks.least?.seconds == 7 && clocks.least?.endpoint == "a.test:443")
    }
}
