import Foundation
import TestSupport
import Testing

/// Compares the threat model with the tests that it names.
@Suite struct ThreatModelTests {
    private let rows: [[String]]
    /// The files below `Tests`, as paths relative to it.
    private let files: [String]

    init() throws {
        let page = try DocumentationPage("SecurityModel")
        rows = try page.rows(under: "## Threats") + page.rows(under: "## How long a withdrawal takes")
        files = try FileManager.default.subpathsOfDirectory(atPath: Self.path("Tests"))
    }

    private static func path(_ name: String) -> String { DocumentationPage.repository.appending(path: name).path }

    @Test func `every threat names existing tests or programs as evidence`() throws {
        #expect(rows.count > 10)
        for row in rows {
            #expect(row.count == 4, "\(row)")
            let names = DocumentationPage.quoted(row[row.count - 1])
            #expect(!names.isEmpty, "\(row[0]) has no test")
            for name in names { #expect(try exists(name), "\(name) does not exist") }
        }
    }

    /// Whether the name is a test suite, or the path of a program.
    private func exists(_ name: String) throws -> Bool {
        if name.contains("/") { return FileManager.default.isExecutableFile(atPath: Self.path(name)) }
        return try files.filter { $0.hasSuffix("/\(name).swift") }.contains { file in
            let text = try String(contentsOfFile: Self.path("Tests/\(file)"), encoding: .utf8)
            return text.contains(try Regex("struct \(name)\\b")) && text.contains("@Test")
        }
    }
}
