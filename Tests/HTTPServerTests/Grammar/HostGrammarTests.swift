import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// Every byte at every kind of position in a Host field (RFC 9110 section 7.2, RFC 3986 section 3.2.2).
struct HostGrammarTests {
    /// A registered name's characters, without the comma that two joined fields would have.
    private static let name = Characters.unreserved.union(Characters.subDelimiters).subtracting(",".utf8)

    private func accepted(_ host: String) -> Set<UInt8> {
        bytes(accepting: "GET / HTTP/1.1\r\nHost:\(host)\r\n\r\n")
    }

    @Test(arguments: ["a§b", "a§b:80"])
    func `a host has no percent signs, user information or path`(host: String) {
        #expect(accepted(host) == Self.name)
    }

    @Test func `white space around a host and a final colon are accepted`() {
        #expect(accepted("§ab") == Self.name.union(" \t".utf8))
        #expect(accepted("ab§") == Self.name.union(" \t:".utf8))
    }

    @Test func `a port holds only digits`() {
        #expect(accepted("a:§1") == Characters.digits)
        #expect(accepted("a:1§2") == Characters.digits)
    }

    @Test func `brackets hold an IPv6 address`() {
        #expect(accepted("[2001:db8::§]") == Characters.hexadecimal)
        #expect(accepted("[::1]§80") == Set(":".utf8))
        #expect(accepted("§::1]") == Set("[".utf8))
        #expect(accepted("[::1§") == Set("]".utf8))
    }

    @Test(arguments: [
        "a", "a.b", "A.B.", "xn--a", "localhost:0", "a:", "a:65535", "127.0.0.1", "127.0.0.1:8080", "[::1]", "[::1]:80",
        "[2001:DB8:0:0:0:0:0:1]", "[::ffff:1.2.3.4]:1", "a_b", "a~b", "[::]:",
    ])
    func `a well-formed host is accepted`(host: String) {
        #expect(parse("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n").isRequest)
    }

    @Test(arguments: [
        "", " ", ":80", "a:b", "a:80:80", "a:65536", "a:123456", "u@a", "u:p@a", "a/b", "a/", "http://a", "a b", "a\tb",
        "a,b",
        "a, b",
        "a?b", "a#b", "a%20", "a%", "[", "]", "[]", "[::1", "::1", "::1]", "[::1]a", "[::1]:x", "[::g]", "[:::]", "[1]",
        "[::1%25eth0]", "[v1.a]", "[1:2:3:4:5:6:7:8:9]", "[::1]]", "a\"", "<a>", "a\\b", "a^", "{a}", "a|b", "é",
        "a\u{7f}",
    ])
    func `a malformed host is refused`(host: String) {
        #expect(parse("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n").rejection?.status == .badRequest)
        #expect(parse("GET / HTTP/1.0\r\nHost: \(host)\r\n\r\n").rejection?.status == .badRequest)
    }

    @Test func `HTTP/1.1 requires one Host; HTTP/1.0 allows at most one`() {
        #expect(parse("GET / HTTP/1.1\r\n\r\n") == .rejection(.missingHost))
        #expect(parse("GET / HTTP/1.0\r\n\r\n").isRequest)
        #expect(parse("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n") == .rejection(.malformedHost))
        #expect(parse("GET / HTTP/1.0\r\nHost: a\r\nhOST: b\r\n\r\n") == .rejection(.malformedHost))
    }
}
