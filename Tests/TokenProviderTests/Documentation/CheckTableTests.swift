import Testing

@testable import TokenProvider

/// The README's words on `/readyz` against its checks.
@Suite struct CheckTableTests {
    private static let checks = Readiness.Check.allCases.map(\.rawValue)

    @Test func `each check is explained once, in the order of the answer`() throws {
        let row = try #require(try Readme().rows(under: "## How is it doing").first { $0.first == "`/readyz`" })
        #expect(Readme.quoted(row[1]) == Self.checks)
    }

    @Test func `what to do about each stands with the alert`() throws {
        let row = try #require(
            try Readme().rows(under: "## Monitor").first { $0.first?.hasSuffix("`TokenProviderNotReady`") == true })
        #expect(Readme.quoted(row[2]).filter { $0.wholeMatch(of: /[a-z]+/) != nil } == Self.checks)
    }
}
