import Foundation
import TestSupport
import Testing

/// Every page of the documentation: its length, its sentences and its links.
@Suite struct PageTests {
    /// The most words of each page, by its path from the repository's folder.
    private static let limits: [String: Int] = {
        let pages = [
            "Index": 200, "FirstTokenToProduction": 1200, "IdentityProviders": 1500, "Authorization": 1220, "API": 1520,
            "ForwardAuth": 660,
            "ClientLibrary": 1050, "ClientSamples": 1650, "Credentials": 1325, "TLS": 900, "AuditLog": 900,
            "Deployment": 1960, "Systemd": 960, "Runbook": 1500, "Console": 450, "MetricsAndLogs": 1040,
            "Capacity": 700, "SecurityModel": 1970, "Commands": 1200, "FleetEngineContract": 1000,
        ]
        let others = ["README.md": 1300, ".github/SECURITY.md": 320, ".github/CONTRIBUTING.md": 930]
        return Dictionary(uniqueKeysWithValues: pages.map { ("\(DocumentationPage.folder)/\($0).md", $1) })
            .merging(others) { $1 }
    }()
    /// Reference pages describe the program; all others address their reader.
    private static let references = Set(
        ["Index", "API", "FleetEngineContract", "MetricsAndLogs"].map { "\(DocumentationPage.folder)/\($0).md" } + [
            "CHANGELOG.md"
        ])

    @Test func `every page has a limit of words and is within it`() throws {
        let folder = DocumentationPage.repository.appending(path: DocumentationPage.folder).path
        let found = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".md") }
        #expect(
            Set(found.map { "\(DocumentationPage.folder)/\($0)" })
                == Set(Self.limits.keys.filter { $0.hasPrefix(DocumentationPage.folder) }))
        for (path, limit) in Self.limits {
            // What follows three back quotes is not shown.
            let lines = try DocumentationPage(path: path).lines.filter { !$0.hasPrefix("```") }
            let words = lines.flatMap { $0.split(separator: " ") }
                .filter { $0.contains { $0.isLetter || $0.isNumber } }
            #expect(words.count <= limit, "\(path) has \(words.count) words")
        }
    }

    @Test func `sentences are short, and guides say you`() throws {
        for path in Array(Self.limits.keys) + ["CHANGELOG.md"] {
            let sentences = try Sentences(of: DocumentationPage(path: path))
            let lengths = sentences.lengths
            guard lengths.count > 7 else { continue }
            let words = lengths.reduce(0, +)
            #expect(Double(words) / Double(lengths.count) <= 15, "\(path)")
            #expect(lengths.allSatisfy { $0 <= 40 }, "\(path): \(lengths.max() ?? 0) words")
            #expect(lengths.filter { $0 > 25 }.count * 100 < lengths.count * 8, "\(path)")
            if !Self.references.contains(path) { #expect(sentences.addresses * 100 >= words, "\(path)") }
        }
    }

    @Test func `relative links and anchors exist`() throws {
        for path in Array(Self.limits.keys) + ["CHANGELOG.md"] {
            let text = try DocumentationPage(path: path).proseLines.joined(separator: "\n")
            for link in text.matches(of: /\]\(([^)\s]+)\)/).map({ String($0.1) }) where !link.contains("://") {
                #expect(try exists(link, from: path), "\(path): \(link)")
            }
        }
    }

    @Test func `the index links to every page`() throws {
        let index = try DocumentationPage("Index").lines.joined(separator: "\n")
        for path in Self.limits.keys where !["README.md", "\(DocumentationPage.folder)/Index.md"].contains(path) {
            let name = URL(filePath: path).lastPathComponent
            #expect(index.contains("](\(name))") || index.contains("/\(name))"), "\(path)")
        }
    }

    /// Whether a link's file exists, and its anchor is a heading there.
    private func exists(_ link: String, from path: String) throws -> Bool {
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let base = DocumentationPage.repository.appending(path: path)
        let target = parts[0].isEmpty ? base : base.deletingLastPathComponent().appending(path: parts[0])
        guard FileManager.default.fileExists(atPath: target.standardizedFileURL.path) else { return false }
        guard parts.count == 2 else { return true }
        let root = DocumentationPage.repository.standardizedFileURL.path + "/"
        let page = try DocumentationPage(path: String(target.standardizedFileURL.path.trimmingPrefix(root)))
        return page.proseLines.filter { $0.hasPrefix("#") }.map(anchor).contains(parts[1])
    }

    /// As code hosts make it: lower case, hyphens for spaces, and no other punctuation.
    private func anchor(_ heading: Substring) -> String {
        let text = heading.drop { $0 == "#" || $0 == " " }.lowercased()
        return String(text.filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }.map { $0 == " " ? "-" : $0 })
    }
}

/// The sentences of a page's prose, without code, tables and headings.
private struct Sentences {
    /// The words of each sentence of more than two.
    let lengths: [Int]
    /// How often it says you or your.
    let addresses: Int

    init(of page: DocumentationPage) {
        let lines = page.proseLines.filter { line in
            let start = line.drop { $0 == " " }
            return !["|", "#", "[", "<"].contains { start.hasPrefix($0) }
        }
        let text = lines.map { line in
            line.replacing(/\]\([^)]*\)/, with: "]").replacing(/`[^`]*`/, with: "X")
                .replacing(/^\s*(?:[-*>]|\d+\.)\s+/, with: ". ")
        }.joined(separator: " ")
        let sentences = text.split(separator: /[.!?:]\s+/).map { $0.split(separator: " ") }
        lengths = sentences.map(\.count).filter { $0 > 2 }
        addresses = text.matches(of: /\b(?:you|your)\b/.ignoresCase()).count
    }
}
