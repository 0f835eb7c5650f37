import Foundation
import Testing

/// The README's threat model against the tests that it says show it.
@Suite struct ThreatModelTests {
    private let rows: [[String]]
    /// What `Tests` holds, as paths from there.
    private let files: [String]

    init() throws {
        rows = try Readme().rows(under: "## Who might attack it, and what then")
        files = try FileManager.default.subpathsOfDirectory(atPath: Self.path("Tests"))
    }

    private static func path(_ name: String) -> String { Readme.repository.appending(path: name).path }

    @Test func `every threat names what shows that it is held, and each of that is there`() throws {
        #expect(rows.count > 10)
        for row in rows {
            #expect(row.count == 4, "\(row)")
            let names = Readme.quoted(row[row.count - 1])
            #expect(!names.isEmpty, "\(row[0]) is shown by nothing")
            for name in names { #expect(try isThere(name), "there is no \(name)") }
        }
    }

    /// Whether it is a suite of tests, or a program by its path.
    private func isThere(_ name: String) throws -> Bool {
        if name.contains("/") { return FileManager.default.isExecutableFile(atPath: Self.path(name)) }
        return try files.filter { $0.hasSuffix("/\(name).swift") }.contains { file in
            let text = try String(contentsOfFile: Self.path("Tests/\(file)"), encoding: .utf8)
            return text.contains(try Regex("struct \(name)\\b")) && text.contains("@Test")
        }
    }
}
