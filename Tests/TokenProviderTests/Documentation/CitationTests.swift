import Foundation
import TestSupport
import Testing

/// What code, tests and files for operators cite.
@Suite struct CitationTests {
    private static let folders = [
        "Sources", "Tests", "config", "systemd", ".ci", ".github", "Package.swift", "Dockerfile",
    ]

    /// The text files below the folders, by their path from the repository's folder.
    private static func texts() -> [(path: String, text: String)] {
        folders.flatMap { folder in
            let root = DocumentationPage.repository.appending(path: folder)
            let paths = ((try? FileManager.default.subpathsOfDirectory(atPath: root.path)) ?? []).map {
                "\(folder)/\($0)"
            }
            return paths.isEmpty ? [folder] : paths
        }.compactMap { path in
            let file = DocumentationPage.repository.appending(path: path)
            return (try? String(contentsOf: file, encoding: .utf8)).map { (path, $0) }
        }
    }

    /// The names of all pages, in any folder.
    private static func pages() -> Set<String> {
        return Set(
            texts().map { ($0.path as NSString).lastPathComponent }.filter { $0.hasSuffix(".md") } + [
                "README.md", "CHANGELOG.md",
            ])
    }

    @Test func `every cited page exists in the repository`() {
        let pages = Self.pages()
        #expect(pages.count > 20)
        for (path, text) in Self.texts() {
            for citation in text.matches(of: /\b[A-Z][A-Za-z]+\.md\b/) {
                #expect(pages.contains(String(citation.output)), "\(path) cites \(citation.output)")
            }
        }
    }

    @Test func `every cited section of a page is a heading there`() throws {
        var count = 0
        for (path, text) in Self.texts() {
            let oneLine = text.replacing(/\n\s*(?:\/\/\/?|#)?\s*/, with: " ")
            for citation in oneLine.matches(of: /\b([A-Z][A-Za-z]+)\.md, "([^"\n]+)"/) {
                count += 1
                let headings = try DocumentationPage(String(citation.1)).proseLines.filter { $0.hasPrefix("#") }
                #expect(
                    headings.contains { $0.drop { $0 == "#" || $0 == " " } == citation.2 }, "\(path): \(citation.0)")
            }
        }
        #expect(count > 20)
    }
}
