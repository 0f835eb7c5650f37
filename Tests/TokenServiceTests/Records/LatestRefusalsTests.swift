import Testing

@testable import ServiceConfiguration
@testable import TokenProvider
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

    @Test func `without a console no refusal is held`() {
        #expect(RefusalRecords(nil, logger: .silent).latest == nil)
        #expect(RefusalRecords(nil, logger: .silent, showingLatest: true).latest != nil)
        var values = ConfigurationValues()
        #expect(values.servesConsole)
        values.admin.hasConsole = false
        #expect(!values.servesConsole)
        (values.admin.hasConsole, values.admin.listen) = (true, [])
        #expect(!values.servesConsole)
    }
}
