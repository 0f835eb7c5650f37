import Foundation
import TestSupport
import Testing

/// Words of clients, certificates and other services are fields, which are quoted. In a message they could look like fields.
@Suite struct LogMessageTests {
    /// Messages without a literal, by their files. The first two are of the type `StaticString`, which cannot interpolate;
    /// the next two say where it listens and why it does not start, and the last one was checked where it was logged.
    private static let others = [
        "ServerNotice+Log.swift": [#""\(message)""#],
        "DaemonLogging.swift": [#""\(Self.attention)""#, #""\(DaemonLogging.attention)""#, "$0", "sentence"],
        "DaemonLogHandler.swift": [#""\(event.message)""#],
    ]
    private static let level = "trace|debug|info|notice|warning|error|critical"

    @Test func `every log message is a constant`() throws {
        let call = try Regex(
            "(?:logger\\??\\.|[^\\w.])(?:\(Self.level))\\(\\s*|\\blog\\(level: [^,]+,\\s*|LogLine\\([^\\n]*message: "
        )
        let sources = DocumentationPage.repository.appending(path: "Sources")
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        var messages = 0
        for case let file as URL in try #require(files) where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            guard text.contains("import Logging\n") || text.contains("LogLine(") else { continue }
            for match in text.matches(of: call) {
                let rest = text[match.range.upperBound...]
                let isKnown = Self.others[file.lastPathComponent]?.contains { rest.hasPrefix($0) } == true
                #expect(isKnown || Self.isConstant(rest), "\(file.lastPathComponent): \(rest.prefix(60))")
                messages += 1
            }
        }
        #expect(messages > 35)
    }

    @Test(arguments: [
        (#""a", metadata: [:])"#, true), (#""a")"#, true), ("\"a\"\n + \"b\")", true), (#""a \"b\"")"#, true),
        (#""a \(b)")"#, false), ("\"a\" + \"\\(b)\")", false), ("sentence)", false), (#""a" + b)"#, false),
    ])
    func `an interpolated or computed message is found`(text: String, isConstant: Bool) {
        #expect(Self.isConstant(text[...]) == isConstant)
    }

    /// Whether a call's first argument is a literal, or several, without interpolations.
    private static func isConstant(_ text: Substring) -> Bool {
        guard let literal = text.prefixMatch(of: /"(?:[^"\\\n]|\\[^(])*"\s*/) else { return false }
        let rest = text[literal.range.upperBound...]
        guard let next = rest.first, next != ",", next != ")" else { return true }
        guard let plus = rest.prefixMatch(of: /\+\s*/) else { return false }
        return isConstant(rest[plus.range.upperBound...])
    }
}
