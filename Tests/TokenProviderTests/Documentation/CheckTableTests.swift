import Testing

@testable import TokenProvider

/// Compares the README's description of `/readyz` with its checks.
@Suite struct CheckTableTests {
    private static let checks = Readiness.Check.allCases.map(\.rawValue)

    @Test func `every readiness check is documented once, in the answer's order`() throws {
        let row = try #require(try Readme().rows(under: "## How is it doing").first { $0.first == "`/readyz`" })
        #expect(Readme.quoted(row[1]) == Self.checks)
    }

    @Test func `the alert documentation covers every readiness check`() throws {
        let row = try #require(
            try Readme().rows(under: "## Monitor").first { $0.first?.hasSuffix("`TokenProviderNotReady`") == true })
        #expect(Readme.quoted(row[2]).filter { $0.wholeMatch(of: /[a-z]+/) != nil } == Self.checks)
    }
}
