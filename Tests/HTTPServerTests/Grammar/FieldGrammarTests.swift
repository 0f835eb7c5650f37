import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// Every byte at every kind of position in a field line (RFC 9112 section 5).
struct FieldGrammarTests {
    private static let start = "GET / HTTP/1.1\r\nHost: a\r\n"

    @Test func `a field name starts with a token character`() {
        #expect(bytes(accepting: Self.start + "§X: v\r\n\r\n") == Characters.token)
    }

    @Test func `a field name holds token characters and ends at a colon`() {
        #expect(bytes(accepting: Self.start + "X§Y: v\r\n\r\n") == Characters.token.union(":".utf8))
    }

    @Test func `nothing is allowed between a field name and its colon`() {
        #expect(bytes(accepting: Self.start + "X§: v\r\n\r\n") == Characters.token.union(":".utf8))
        #expect(bytes(accepting: Self.start + "X§v\r\n\r\n") == Set(":".utf8))
    }

    @Test(arguments: ["X:§\r\n", "X: §\r\n", "X: §b\r\n", "X: a§b\r\n", "X: a§\r\n"])
    func `a field value holds printable characters, spaces, tabs and obs-text`(line: String) {
        #expect(bytes(accepting: Self.start + line + "\r\n") == Characters.fieldValue)
    }

    @Test func `a field line ends only in CR LF`() {
        #expect(bytes(accepting: Self.start + "X: a§\n\r\n") == [0x0d])
        #expect(bytes(accepting: Self.start + "X: a\r§\r\n") == [0x0a])
    }

    @Test func `a request head ends only in CR LF`() {
        #expect(bytes(accepting: Self.start + "§\n") == [0x0d])
        #expect(bytes(accepting: Self.start + "\r§") == [0x0a])
    }

    @Test func `a line that starts with white space is refused anywhere`() {
        #expect(parse("GET / HTTP/1.1\r\n Host: a\r\n\r\n") == .rejection(.malformedField))
        #expect(parse(Self.start + "\tfolded\r\n\r\n") == .rejection(.malformedField))
        #expect(parse(Self.start + " \r\n\r\n") == .rejection(.malformedField))
    }

    @Test func `the range of the fields includes their line endings`() {
        #expect(parse(Self.start + "X: v\r\n\r\nrest").head?.fields == 16..<31)
        #expect(parse("GET / HTTP/1.0\r\n\r\n").head?.fields == 16..<16)
    }
}
