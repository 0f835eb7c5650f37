import Testing

@testable import StrictYAML

/// A text and the errors that it must be refused with.
struct RefusedYAML: CustomTestStringConvertible, Sendable {
    let text: String
    let errors: String

    init(_ text: String, _ errors: String) {
        (self.text, self.errors) = (text, errors)
    }

    var testDescription: String { QuotedText(text).description }
}

@Suite struct YAMLRefusalTests {
    @Test(arguments: [
        RefusedYAML(
            "a: 1\nb: 2\na: 3\n'b': 4\na: 5",
            """
            3:1: the key "a" is repeated; it was first given on line 1
            4:1: the key "b" is repeated; it was first given on line 2
            5:1: the key "a" is repeated; it was first given on line 1
            """),
        RefusedYAML("a: {b: 1, b: 2}", "1:11: the key \"b\" is repeated; it was first given on line 1"),
        RefusedYAML("a: &x 1", "1:4: an anchor (&name) is not allowed; expected the value alone"),
        RefusedYAML("&x a: 1", "1:1: an anchor (&name) is not allowed; expected the value alone"),
        RefusedYAML("a: &x [1]", "1:4: an anchor (&name) is not allowed; expected the value alone"),
        RefusedYAML("a: *x", "1:4: an alias (*name) is not allowed; expected the value itself"),
        RefusedYAML("*x : a", "1:1: an alias (*name) is not allowed; expected the value itself"),
        RefusedYAML("a: !!str 1", "1:4: a tag (!name) is not allowed; expected the value alone"),
        RefusedYAML("a: ! 1", "1:4: a tag (!name) is not allowed; expected the value alone"),
        RefusedYAML("!thing {a: 1}", "1:1: a tag (!name) is not allowed; expected the value alone"),
        RefusedYAML("%TAG !x! tag:x:\n---\na: 1", "1:1: a %TAG directive is not allowed; expected plain values"),
        RefusedYAML("<<: {a: 1}", "1:1: the merge key << is not allowed; expected every key to be written out"),
        RefusedYAML("a: 1\n---\nb: 2", "2:1: a second document begins here; expected only one"),
        RefusedYAML("? [a, b]\n: 1", "1:3: a key must be a single text, not a sequence or a mapping"),
        RefusedYAML("{a: 1}: 2", "1:1: a key must be a single text, not a sequence or a mapping"),
        RefusedYAML(
            "? \(String(repeating: "e\u{301}\u{316}", count: 60))\n: 1",
            "1:3: a key has 300 bytes; expected at most 256"),
        RefusedYAML("?\n: 1", "1:2: a key is missing here; expected \"key: value\""),
        RefusedYAML("a: \u{1}", "1:4: the control character U+0001 is not allowed in YAML"),
        RefusedYAML("a: 1\r\nb: é\u{7F}", "2:5: the control character U+007F is not allowed in YAML"),
        RefusedYAML("a\rb\n\nc\u{FFFE}", "4:2: the control character U+FFFE is not allowed in YAML"),
        RefusedYAML(
            "a: [1, 2",
            "2:1: this is not valid YAML: did not find expected ',' or ']' while parsing a flow sequence (line 1)"),
        RefusedYAML("a: 1\n b: 2", "2:3: this is not valid YAML: mapping values are not allowed in this context"),
        RefusedYAML(
            "a:\n\t- 1",
            "2:1: this is not valid YAML: a tab is not allowed here; expected spaces"),
        RefusedYAML(
            "é: 1\n\tb: 2", "2:1: this is not valid YAML: a tab is not allowed here; expected spaces"),
        RefusedYAML(
            "a: \"\\ud800\"",
            "1:7: this is not valid YAML: found invalid Unicode character escape code while parsing a quoted scalar (line 1)"
        ),
        RefusedYAML(
            "a: 'x",
            "1:6: this is not valid YAML: found unexpected end of stream while scanning a quoted scalar (line 1)"),
    ])
    func `unsupported YAML is refused with line, column and reason`(refused: RefusedYAML) {
        #expect(errors(of: Array(refused.text.utf8)) == refused.errors)
    }

    @Test(
        arguments: [
            ([0x61, 0x3A, 0x20, 0xFF], "1:4: a byte here is not valid UTF-8"),
            ([0x61, 0x0A, 0xC3], "2:1: a byte here is not valid UTF-8"),
            ([0xC0, 0x80], "1:1: a byte here is not valid UTF-8"),
            ([0xED, 0xA0, 0x80], "1:1: a byte here is not valid UTF-8"),
            ([0xFF, 0xFE, 0x61, 0x00], "1:1: a byte here is not valid UTF-8"),
            ([0x61, 0x00], "1:2: the control character U+0000 is not allowed in YAML"),
        ] as [([UInt8], String)])
    func `bytes that are not text are refused with their position`(bytes: [UInt8], expected: String) {
        #expect(errors(of: bytes) == expected)
    }

    @Test(arguments: ["[", "{a: ", "- "])
    func `a seventeenth level of nesting is refused`(opening: String) {
        let text = String(repeating: opening, count: 17)
        let place = "1:\(16 * opening.count + 1)"
        #expect(errors(of: Array(text.utf8)) == "\(place): this is nested too deeply; expected at most 16 levels")
    }

    @Test func `a text over one mebibyte is refused without parsing`() {
        let bytes = [UInt8](repeating: 0xFF, count: StrictYAMLDocument.maximumBytes + 1)
        #expect(errors(of: bytes) == "1:1: the text has 1048577 bytes; expected at most 1048576")
    }

    @Test func `errors come with the values that could be read`() throws {
        let errors = try #require(throws: YAMLErrors.self) { try StrictYAMLDocument.parse(Array("a: 1\na: 2".utf8)) }
        guard case .mapping(let entries) = errors.remainder?.value else {
            Issue.record("expected a mapping")
            return
        }
        #expect(entries.map(\.key) == ["a"])
        #expect(entries.map(\.value.value) == [.scalar("1", quoted: false)])
    }

    @Test func `errors in a truncated text come without values`() throws {
        let errors = try #require(throws: YAMLErrors.self) {
            try StrictYAMLDocument.parse(Array("a: &x 1\na: [".utf8))
        }
        #expect(errors.remainder == nil)
        #expect(errors.errors.map(\.position.line) == [1, 3])
    }

    @Test func `every prefix of a document is either parsed or refused`() {
        let text = "listen: [\"\\u00e9\", 'b']\ntoken: {lifetime: |\n  1h\n}\n? a\n: &x *y\n%TAG\n--- !t\n...\n"
        let bytes = Array(text.utf8)
        for length in 0...bytes.count {
            let outcome = Result { try StrictYAMLDocument.parse(Array(bytes.prefix(length))) }
            if case .failure(let error) = outcome { #expect(error is YAMLErrors) }
        }
    }

    private func errors(of bytes: [UInt8]) -> String {
        do {
            return "read: \(String(describing: try StrictYAMLDocument.parse(bytes)))"
        } catch {
            return error.description
        }
    }
}
