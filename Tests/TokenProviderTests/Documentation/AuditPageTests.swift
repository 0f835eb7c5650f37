import ServiceConfiguration
import TestSupport
import Testing

/// Compares the page of the audit log with the outputs that there are.
@Suite struct AuditPageTests {
    private let page: DocumentationPage
    private let outputs = Set(Configuration.Audit.Output.allCases.map(\.rawValue)).subtracting(["none"])

    init() throws { page = try DocumentationPage("AuditLog") }

    @Test func `each output has its promise, and what can lose a record later`() throws {
        let rows = try page.rows(under: "# Audit log")
        #expect(Set(rows.flatMap { DocumentationPage.quoted($0[0]) }) == outputs)
        for row in rows { #expect(row.count == 3 && row.allSatisfy { !$0.isEmpty }, "\(row)") }
        let journal = try #require(rows.first { $0[0].contains("`journald`") })
        #expect(journal[2].contains("rate limit"))
    }

    @Test func `each guarantee names its outputs`() throws {
        let rows = try page.rows(under: "## What is guaranteed")
        #expect(rows.count > 3)
        for row in rows {
            try #require(row.count == 2, "\(row)")
            let named = DocumentationPage.quoted(row[1])
            #expect(named.isEmpty ? row[1] == "all outputs" : outputs.isSuperset(of: named), "\(row)")
        }
    }
}
