import Testing

@testable import TokenService

/// The refusals that operators see.
@Suite struct LatestRefusalsTests {
    @Test func `the last fifty are held, the oldest first`() {
        let latest = LatestRefusals()
        for time: Int64 in 1...60 {
            latest.add(LoggedRefusal(time: time, requestID: "1", code: "c", reason: "r", subject: ""))
        }
        #expect(latest.all.map(\.time) == Array(11...60))
    }
}
