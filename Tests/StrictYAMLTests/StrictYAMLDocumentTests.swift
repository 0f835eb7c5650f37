import Testing

@testable import StrictYAML

@Suite struct StrictYAMLDocumentTests {
    @Test func `every value has the line and column where it begins`() throws {
        let document = try parse("# a comment\nlisten: [a, 'b']\ntoken:\n  lifetime: 1h\n  margin:\n")
        let expected = node(
            2, 1,
            .mapping([
                entry(
                    "listen", 2, 1,
                    node(
                        2, 9,
                        .sequence([
                            node(2, 10, .scalar("a", quoted: false)), node(2, 13, .scalar("b", quoted: true)),
                        ]))),
                entry(
                    "token", 3, 1,
                    node(
                        4, 3,
                        .mapping([
                            entry("lifetime", 4, 3, node(4, 13, .scalar("1h", quoted: false))),
                            entry("margin", 5, 3, node(5, 10, .null)),
                        ]))),
            ]))
        #expect(document == expected)
    }

    @Test(arguments: ["", "# only a comment\n", "\n\n", "\u{FEFF}"])
    func `a text without a document has no value`(text: String) throws {
        #expect(try parse(text) == nil)
    }

    @Test(arguments: ["~", "null", "Null", "NULL", "---\n"])
    func `an empty or null document is null`(text: String) throws {
        #expect(try parse(text)?.value == .null)
    }

    @Test(arguments: [("'null'", "null"), ("\"\"", ""), ("|\n  ~", "~"), ("\"a\\tb\"", "a\tb")])
    func `quoted and block scalars are text`(text: String, expected: String) throws {
        #expect(try parse(text)?.value == .scalar(expected, quoted: true))
    }

    @Test(arguments: ["true", "5", "1.5", "2026-01-01", "0x10", "<<", "yes"])
    func `a plain scalar keeps its text`(text: String) throws {
        #expect(try parse(text)?.value == .scalar(text, quoted: false))
    }

    @Test(arguments: ["a: 1", "a: 1\nb: 2\n", "---\na: 1\n", "%YAML 1.1\n---\na: 1\n", "\na: 1\nb: 2\n", "{a: 1}"])
    func `a byte order mark is skipped`(text: String) throws {
        let document = try parse(text)
        #expect(document != nil)
        #expect(try parse("\u{FEFF}" + text) == document)
    }

    @Test func `a quoted merge key is an ordinary key`() throws {
        #expect(try parse("'<<': 1")?.value == .mapping([entry("<<", 1, 1, node(1, 7, .scalar("1", quoted: false)))]))
    }

    @Test func `sixteen levels of nesting are accepted`() throws {
        let text = String(repeating: "[", count: 16) + String(repeating: "]", count: 16)
        #expect(try parse(text)?.position == YAMLPosition(line: 1, column: 1))
    }

    @Test func `a text of exactly one mebibyte is accepted`() throws {
        let text = "a: " + String(repeating: "x", count: StrictYAMLDocument.maximumBytes - 3)
        #expect(try parse(text) != nil)
    }

    private func entry(_ key: String, _ line: Int, _ column: Int, _ value: YAMLNode) -> YAMLEntry {
        YAMLEntry(key: key, keyPosition: YAMLPosition(line: line, column: column), value: value)
    }

    private func node(_ line: Int, _ column: Int, _ value: YAMLValue) -> YAMLNode {
        YAMLNode(position: YAMLPosition(line: line, column: column), value: value)
    }

    private func parse(_ text: String) throws -> YAMLNode? {
        try StrictYAMLDocument.parse(Array(text.utf8))
    }
}
