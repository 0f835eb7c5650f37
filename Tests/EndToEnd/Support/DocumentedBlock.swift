import Foundation
import Testing

/// A block of code in the documentation.
struct DocumentedBlock {
    /// The page's name, such as `TLS`.
    let page: String
    /// The heading above it, without the marks.
    let section: String
    let language: String
    /// What follows the language, such as `not run: needs Docker`.
    let remark: String
    let text: String

    static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let folder = repository.appending(path: "Sources/TokenProvider/Documentation.docc")

    /// The blocks of README.md, CONTRIBUTING.md and every page, in this order.
    static func all() throws -> [DocumentedBlock] {
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }
        let others = ["README.md", ".github/CONTRIBUTING.md"].map { repository.appending(path: $0) }
        return try (others + pages.sorted().map { folder.appending(path: $0) }).flatMap(blocks)
    }

    /// The first block in this language under this heading of a page.
    static func first(_ language: String, under section: String, of page: String) throws -> DocumentedBlock {
        let block = try all().first { ($0.page, $0.section, $0.language) == (page, section, language) }
        return try #require(block, "no block of \(language) under \(section) of \(page)")
    }

    private static func blocks(of file: URL) throws -> [DocumentedBlock] {
        let page = file.deletingPathExtension().lastPathComponent
        var (blocks, section): ([DocumentedBlock], String) = ([], "")
        var block: (mark: Substring, lines: [Substring])?
        for line in try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        {
            if let open = block {
                if line == "```" {
                    blocks.append(DocumentedBlock(page, section, open.mark, open.lines))
                    block = nil
                } else {
                    block?.lines.append(line)
                }
            } else if line.hasPrefix("```") {
                block = (line.dropFirst(3), [])
            } else if line.hasPrefix("#") {
                section = line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces)
            }
        }
        return blocks
    }

    /// The block between a line of three back quotes with the mark and one without.
    private init(_ page: String, _ section: String, _ mark: Substring, _ lines: [Substring]) {
        (self.page, self.section) = (page, section)
        let parts = mark.split(separator: " ", maxSplits: 1).map(String.init)
        language = parts.first ?? ""
        remark = parts.dropFirst().first ?? ""
        text = lines.joined(separator: "\n") + "\n"
    }

    /// Whether a configuration sets one of these keys.
    func sets(_ keys: String...) -> Bool {
        text.split(separator: "\n").contains { line in keys.contains { line.hasPrefix("\($0):") } }
    }
}
