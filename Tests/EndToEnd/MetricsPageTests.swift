import Foundation
import TestSupport
import Testing

/// Compares the page of metrics and logs with the metrics of the real daemon and with the fields in the sources.
@Suite(.blocking) struct MetricsPageTests {
    private static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let page = repository.appending(
        path: "Sources/TokenProvider/Documentation.docc/MetricsAndLogs.md")

    /// After a change, `REGENERATE_DOCUMENTATION=1 swift test --filter MetricsPageTests` writes the table again.
    @Test func `the table of metrics is what a scrape says`() throws {
        let monitored = try MonitoredDaemon()
        _ = try Curl("\(monitored.daemon.url)/token?tripID=trip-1", ["-H", "X-API-Key: \(monitored.apiKey)"])
        let keyless = try KeylessTests()
        let remote = try keyless.daemon(#require(keyless.google.files["authorized_user"]))
        _ = try keyless.token(remote)
        let table = try Self.table(of: [Scrape(monitored.admin).text, Scrape(remote.adminURL()).text])
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        let parts = text.split(separator: /<!-- (?:begin|end) -->\n/, omittingEmptySubsequences: false)
        try #require(parts.count == 3)
        if ProcessInfo.processInfo.environment["REGENERATE_DOCUMENTATION"] != nil {
            let whole = "\(parts[0])<!-- begin -->\n\(table)<!-- end -->\n\(parts[2])"
            try Data(whole.utf8).write(to: Self.page)
        } else {
            #expect(String(parts[1]) == table)
        }
        for name in try Self.names(in: "Sources/TokenProvider/Metrics") {
            #expect(table.contains(name), "no metric \(name)")
        }
    }

    @Test func `the table of log fields has every field in the sources`() throws {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        let section = try #require(text.split(separator: "## Log fields\n").last)
        let documented = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { row in
            row.split(separator: "|")[0].matches(of: /`([a-z_]+)`/).map { String($0.1) }
        }
        #expect(documented.sorted() == (try Self.logFields()).sorted())
    }

    /// The families of all scrapes as rows: name with labels, and meaning.
    private static func table(of scrapes: [String]) throws -> String {
        var (rows, names): ([String], Set<Substring>) = ([], [])
        for row in try scrapes.flatMap(self.rows) {
            let name = row.dropFirst().prefix { !"{`".contains($0) }
            if names.insert(name).inserted { rows.append(row) }
        }
        return "| metric | is |\n|---|---|\n" + rows.map { "| \($0)" }.joined()
    }

    private static func rows(of scrape: String) throws -> [String] {
        var rows: [String] = []
        let lines = scrape.split(separator: "\n")
        for (number, line) in lines.enumerated() where line.hasPrefix("# TYPE ") {
            let words = line.split(separator: " ")
            let help = lines[number + 1].split(separator: " ", maxSplits: 3)
            try #require(help[1] == "HELP" && help[2] == words[2])
            let samples = lines[(number + 2)...].prefix { !$0.hasPrefix("#") }
            let labels = Set(samples.flatMap { $0.matches(of: /[{,]([a-z_]+)="/).map { String($0.1) } })
            let named = labels.subtracting(["le"]).sorted().joined(separator: ",")
            #expect(words[3] == type(of: words[2]), "the page tells types by names")
            rows.append("`\(words[2])\(named.isEmpty ? "" : "{\(named)}")` | \(help[3]) |\n")
        }
        return rows
    }

    /// The type that the page's readers infer from a name.
    private static func type(of name: Substring) -> String {
        name.hasSuffix("_total") ? "counter" : name.hasSuffix("_duration_seconds") ? "histogram" : "gauge"
    }

    /// The names of metrics in the sources, without suffixes.
    private static func names(in folder: String) throws -> Set<String> {
        Set(
            try sources(in: folder).flatMap { source in
                source.matches(of: /"((?:token_provider|process)_[a-z0-9_]+)"/).map { String($0.1) }
                    + source.matches(of: /\b(?:counter|gauge|histogram)\(\s*"([a-z0-9_]+)"/).map {
                        "token_provider_\($0.1)"
                    }
                    + source.matches(of: /\bExpiration\(\s*of: "([a-z_]+)"/).map {
                        "token_provider_\($0.1)_remaining_seconds"
                    }
            })
    }

    /// The names of fields in the sources: of access lines, and of other lines' metadata.
    private static func logFields() throws -> Set<String> {
        let sources = try sources(in: "Sources/TokenProvider") + sources(in: "Sources/TokenService")
        return Set(
            sources.flatMap { source in
                let added = source.matches(of: /line\.add\("([a-z_]+)"/).map { String($0.1) }
                let set = source.matches(of: /metadata\["([a-z_]+)"\] =/).map { String($0.1) }
                let literals = source.matches(of: /"([a-z_]+)": "\\\(/).map { String($0.1) }
                return added + set + literals
            })
    }

    private static func sources(in folder: String) throws -> [String] {
        let root = repository.appending(path: folder)
        return try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }
            .map { try String(contentsOf: root.appending(path: $0), encoding: .utf8) }
    }
}
