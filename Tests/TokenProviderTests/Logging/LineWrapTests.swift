import Testing

@testable import TokenProvider

/// Lines on a terminal of few columns.
@Suite struct LineWrapTests {
    @Test(arguments: [
        ("one two three", "one two\nthree"), ("short", "short"), ("a-word-longer-than-ten", "a-word-longer-than-ten"),
        ("    -> one two", "    -> one two"),
    ])
    func `a line is broken between words only`(line: String, shown: String) {
        #expect(LineWrap(10).wrapped(line) == shown)
        #expect(LineWrap(nil).wrapped(line) == line)
    }

    @Test func `the rest begins below the text of the line`() {
        let wrap = LineWrap(24)
        #expect(wrap.wrapped("  ✗ name  one two three four five") == "  ✗ name  one two three\n          four five")
        #expect(wrap.wrapped("  -> one two three four five six") == "  -> one two three four\n     five six")
        #expect(wrap.wrapped("✓ one two three four five six") == "✓ one two three four\n  five six")
    }

    @Test func `colours have no width`() {
        let red = "\u{1B}[31mone\u{1B}[0m"
        #expect(LineWrap(10).wrapped("\(red) two three") == "\(red) two\nthree")
        #expect(LineWrap(13).wrapped("\(red) two three") == "\(red) two three")
    }

    @Test func `commands and JSON stay whole`() {
        for line in [
            "\(String(repeating: " ", count: 23))gcloud a b c d e f g h i j k l m n o p q", "  \"a\": \"b c d e f g\"",
        ] {
            #expect(LineWrap(50).wrapped(line) == line && LineWrap(12).wrapped(line) == line)
        }
    }
}
