import Foundation
import Testing

/// README.md of this repository, by its sections and their tables.
struct Readme {
    /// The repository's folder.
    static let repository = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    let lines: [Substring]

    init() throws {
        let text = try String(contentsOf: Self.repository.appending(path: "README.md"), encoding: .utf8)
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The rows of the table under a heading, without its two header lines, as the text of each cell.
    func rows(under heading: String) throws -> [[String]] {
        let start = try #require(lines.firstIndex { $0 == heading }, "no such heading")
        let section = lines[(start + 1)...].prefix { !$0.hasPrefix("## ") }
        return section.filter { $0.hasPrefix("|") }.dropFirst(2).map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// The parts of a text that are in back quotes.
    static func quoted(_ text: String) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
}
