import TestSupport
import Testing

@testable import TokenProvider

/// Compares the documentation's descriptions of `/readyz` with its checks.
@Suite struct CheckTableTests {
    private static let checks = Readiness.Check.allCases.map(\.rawValue)

    @Test func `every readiness check is documented once, in the answer's order`() throws {
        let rows = try DocumentationPage("Commands").rows(under: "## The admin listener")
        let row = try #require(rows.first { $0.first == "`/readyz`" })
        #expect(DocumentationPage.quoted(row[1]) == Self.checks)
    }

    @Test func `the runbook has a fix for every readiness check`() throws {
        let rows = try DocumentationPage("Runbook").rows(under: "### TokenProviderNotReady")
        #expect(rows.flatMap { DocumentationPage.quoted($0[0]) } == Self.checks)
    }
}
