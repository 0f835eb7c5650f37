import StrictYAML
import Testing

@Suite struct QuotedTextTests {
    @Test(arguments: [
        ("listen", "\"listen\""),
        ("é🚕", "\"é🚕\""),
        ("a\nb\u{1B}[0m", "\"a\\u{A}b\\u{1B}[0m\""),
        ("\u{202E}abc\u{200B}", "\"\\u{202E}abc\\u{200B}\""),
    ])
    func `characters that break a line or hide in it are escaped`(text: String, expected: String) {
        #expect(QuotedText(text).description == expected)
    }

    @Test func `a long text is cut after sixty-four scalars`() {
        let kept = String(repeating: "x", count: 64)
        #expect(QuotedText(kept).description == "\"\(kept)\"")
        #expect(QuotedText(kept + "y").description == "\"\(kept)…\"")
        #expect(QuotedText(kept + "y", limit: 65).description == "\"\(kept)y\"")
    }
}
