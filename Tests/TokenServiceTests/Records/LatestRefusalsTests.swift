import Testing

@testable import CallerAccess
@testable import FleetEngineToken
@testable import HTTPServer
@testable import ServiceConfiguration
@testable import TokenService

/// The refusals that operators see.
@Suite struct LatestRefusalsTests {
    private func note(_ number: UInt64, _ label: IDLabel = .plain, _ claims: PrivateClaims? = nil) -> RefusalNote {
        let principal = Principal(name: "dispatch", source: .apiKey(name: "dispatch"), claims: nil, expiresAt: nil)
        return RefusalNote(
            .request(.emptyParameter), RequestIdentity(number: number), claims, principal, IPAddress("192.0.2.7"),
            label)
    }

    @Test func `the last fifty are held, the oldest first`() {
        let latest = LatestRefusals()
        for number: UInt64 in 1...49 { latest.add(note(number)) }
        #expect(latest.all.map(\.requestID) == (1...49).map(HTTPRequest.text(ofID:)))
        for number: UInt64 in 50...120 { latest.add(note(number)) }
        #expect(latest.all.map(\.requestID) == (71...120).map(HTTPRequest.text(ofID:)))
    }

    @Test func `a refusal names ids, callers and clients as the log does`() throws {
        let latest = LatestRefusals()
        let claims = try PrivateClaims.trip(FleetEngineID("trip-1"))
        for label in [IDLabel.plain, .none] { latest.add(note(1, label, claims)) }
        #expect(latest.all.map(\.subject) == ["consumer:trip-1", ""])
        #expect(latest.all.map(\.caller) == ["dispatch", nil])
        #expect(latest.all.map(\.client) == ["192.0.2.7", nil])
        #expect(
            latest.all.allSatisfy { $0.reason == TokenProblem.emptyParameter.detail && $0.code == "empty_parameter" })
    }

    @Test func `without a console no refusal is held`() {
        #expect(RefusalRecords(nil, logger: .silent).latest == nil)
        #expect(RefusalRecords(nil, logger: .silent, showingLatest: true).latest != nil)
        var values = Configuration()
        #expect(values.servesConsole)
        values.admin.hasConsole = false
        #expect(!values.servesConsole)
        (values.admin.hasConsole, values.admin.listen) = (true, [])
        #expect(!values.servesConsole)
    }
}
