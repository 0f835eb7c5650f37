import TestSupport
import Foundation
import StrictYAML
import Testing

/// The cases of yaml-test-suite (github.com/yaml/yaml-test-suite, commit 6ad3d2c of its branch `data`, MIT License): a
/// text, and the events of a parser or that there is an error.
@Suite struct YAMLTestSuiteTests {
    private struct Case: Decodable {
        let yaml: String
        let isError: Bool
        let events: String

        /// Whether the text is in our subset: one document, without anchors, aliases, tags and keys that are no scalars.
        var isInSubset: Bool {
            let lines = events.split(separator: "\n")
            return lines.count { $0.hasPrefix("+DOC") } == 1
                && !lines.contains { $0.hasPrefix("=ALI") || Self.properties($0) } && !yaml.hasPrefix("%")
        }

        /// Whether an event has an anchor or a tag: a word that begins with & or < before its value.
        private static func properties(_ event: Substring) -> Bool {
            event.split(separator: " ").dropFirst().prefix { !":'\"|>".contains($0.prefix(1)) }
                .contains { "&<".contains($0.prefix(1)) }
        }
    }

    /// Texts that we refuse although they are YAML: with a key that is a collection or missing.
    private static let refusedForKeys: Set<String> = [
        "4FJ6", "6PBE", "9MMW", "DFF7", "KK5P", "LX3P", "M2N8/01", "M5DY", "Q9WF", "SBG9", "V9D5",
    ]
    /// The same, refused by libyaml, which reads YAML 1.1: empty keys, tabs after indicators, colons and line breaks in
    /// flow collections that YAML 1.2 allows.
    private static let refusedByLibrary: Set<String> = [
        "2JQS", "4ABK", "4MUZ/00", "4MUZ/01", "4MUZ/02", "58MP", "5MUD", "5T43", "6BCT", "6CA3", "96NN/00",
        "96NN/01", "9SA2", "A2M4", "CFD4", "DBG4", "DK3J", "DK95/00", "DK95/03", "DK95/04", "FP8R", "FRK4",
        "HM87/00", "K3WX", "M2N8/00", "NHX8", "NJ66", "Q5MG", "R4YG", "S3PD", "SM9W/01", "UKK6/00", "VJP3/01",
        "Y79Y/001", "Y79Y/010",
    ]
    /// Texts that libyaml reads in another way: a question mark or white space at the end of a block.
    private static let different: Set<String> = [
        "652Z", "HM87/01", "JEF9/02", "L24T/01",
    ]
    /// Texts with an error that libyaml does not see: comments without a space before them, less indentation than the
    /// suite asks for in flow collections and quotes, a dash as text, and tabs as indentation of these.
    private static let acceptedErrors: Set<String> = [
        "9C9N", "9JBA", "CVW2", "DK95/01", "G5U8", "MUS6/00", "QB6E", "S98Z", "SU5Z", "X4QW", "Y79Y/003", "YJV2",
    ]
    /// Texts with a `%YAML` directive, which we ignore.
    private static let acceptedDirectives: Set<String> = [
        "27NA", "DK95/07", "MUS6/02", "MUS6/03", "MUS6/04", "RTP8",
    ]

    private static let cases = Result { () throws -> [String: Case] in
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let json = try Child.mustRun(["gzip", "-dc", folder.appending(path: "yaml-test-suite.json.gz").path])
        return try JSONDecoder().decode([String: Case].self, from: Data(json.utf8))
    }

    @Test func `texts of the subset are read as the suite says`() throws {
        let cases = try Self.cases.get().filter { !$0.value.isError && $0.value.isInSubset }
        var (refusedForKeys, refusedByLibrary, different) = (Set<String>(), Set<String>(), Set<String>())
        for (name, one) in cases {
            do throws(YAMLErrors) {
                let node = try StrictYAMLDocument.parse(Array(one.yaml.utf8))
                if node.map(Self.events) ?? "=VAL :\n" != Self.content(one.events) { different.insert(name) }
            } catch {
                if error.errors.allSatisfy({ $0.sentence.hasPrefix("this is not valid YAML: ") }) {
                    refusedByLibrary.insert(name)
                } else {
                    refusedForKeys.insert(name)
                }
            }
        }
        #expect(cases.count == 216)
        #expect(refusedForKeys == Self.refusedForKeys)
        #expect(refusedByLibrary == Self.refusedByLibrary)
        #expect(different == Self.different)
    }

    @Test func `texts with an error or outside the subset are refused`() throws {
        let cases = try Self.cases.get().filter { $0.value.isError || !$0.value.isInSubset }
        let accepted = cases.filter { (try? StrictYAMLDocument.parse(Array($0.value.yaml.utf8))) ?? nil != nil }
        #expect(cases.count == 186)
        #expect(Set(accepted.filter { $0.value.isError }.keys) == Self.acceptedErrors)
        #expect(Set(accepted.filter { !$0.value.isError }.keys) == Self.acceptedDirectives)
    }

    /// The events of the document alone, without the style of collections.
    private static func content(_ events: String) -> String {
        let lines = events.split(separator: "\n").filter { !["STR", "DOC"].contains($0.dropFirst().prefix(3)) }
        return lines.map { line in
            guard line.hasPrefix("=VAL ") else { return "\(line.prefix(4))\n" }
            return "=VAL :\(line.dropFirst(6))\n"
        }.joined()
    }

    /// A node as the suite's events. Quotes and blocks are one style here.
    private static func events(_ node: YAMLNode) -> String {
        switch node.value {
        case .null: "=VAL :\n"
        case .scalar(let text, _): "=VAL :\(escaped(text))\n"
        case .sequence(let nodes): "+SEQ\n" + nodes.map(events).joined() + "-SEQ\n"
        case .mapping(let entries):
            "+MAP\n" + entries.map { "=VAL :\(escaped($0.key))\n" + events($0.value) }.joined() + "-MAP\n"
        }
    }

    private static func escaped(_ text: String) -> String {
        [("\\", "\\\\"), ("\n", "\\n"), ("\t", "\\t"), ("\r", "\\r"), ("\u{8}", "\\b")].reduce(text) { text, pair in
            text.replacingOccurrences(of: pair.0, with: pair.1)
        }
    }
}
