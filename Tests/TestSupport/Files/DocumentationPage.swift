import Foundation
import Testing

/// A page of the documentation, by its sections and their tables.
package struct DocumentationPage {
    /// The repository's folder.
    package static let repository = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    /// The folder of the pages, as a path from the repository's folder.
    package static let folder = "Sources/TokenProvider/Documentation.docc"

    package let lines: [Substring]

    /// The page with this name, such as `API`.
    package init(_ name: String) throws { try self.init(path: "\(Self.folder)/\(name).md") }

    /// The page at this path from the repository's folder.
    package init(path: String) throws {
        let text = try String(contentsOf: Self.repository.appending(path: path), encoding: .utf8)
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The rows of the table under a heading, without its two header lines, as the text of each cell.
    package func rows(under heading: String) throws -> [[String]] {
        let start = try #require(lines.firstIndex { $0 == heading }, "no such heading")
        let section = lines[(start + 1)...].prefix { !$0.hasPrefix("## ") && !$0.hasPrefix("### ") }
        return section.filter { $0.hasPrefix("|") }.dropFirst(2).map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// The lines outside of blocks of code.
    package var proseLines: [Substring] {
        var isCode = false
        return lines.filter { line in
            guard line.drop(while: { $0 == " " }).hasPrefix("```") else { return !isCode }
            isCode.toggle()
            return false
        }
    }

    /// The parts of a text that are in back quotes.
    package static func quoted(_ text: String) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
}
