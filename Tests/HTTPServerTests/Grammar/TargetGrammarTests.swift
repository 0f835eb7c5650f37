import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// Every byte at every kind of position in a target (RFC 9112 section 3.2, RFC 3986).
struct TargetGrammarTests {
    private static let end = " HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test func `a target starts with a slash`() {
        #expect(bytes(accepting: "GET §" + Self.end) == Set("/".utf8))
        #expect(bytes(accepting: "GET §/" + Self.end) == Set("/".utf8))
    }

    @Test(arguments: ["/§", "/§g", "/g§g"])
    func `a path holds path characters and ends at a question mark`(target: String) {
        #expect(bytes(accepting: "GET \(target)" + Self.end) == Characters.pathCharacters.union("?".utf8))
    }

    @Test(arguments: ["/?§", "/?§g", "/?g=§g"])
    func `a query holds path characters and question marks`(target: String) {
        #expect(bytes(accepting: "GET \(target)" + Self.end) == Characters.pathCharacters.union("?".utf8))
    }

    @Test(arguments: ["/%§1", "/%1§", "/a?b=%§f", "/a?b=%F§"])
    func `a percent sign is followed by two hexadecimal digits`(target: String) {
        #expect(bytes(accepting: "GET \(target)" + Self.end) == Characters.hexadecimal)
    }

    @Test func `the first question mark separates path and query`() {
        let head = parse("GET /a/b%20?c=d?e HTTP/1.1\r\nHost: a\r\n\r\n").head
        #expect(head?.path == 4..<11)
        #expect(head?.query == 12..<17)
    }

    @Test func `an empty query differs from a missing one`() {
        #expect(parse("GET /a? HTTP/1.1\r\nHost: a\r\n\r\n").head?.query == 7..<7)
        #expect(parse("GET /a HTTP/1.1\r\nHost: a\r\n\r\n").head?.query == nil)
    }

    @Test(arguments: ["http://a/p?q", "HTTP://a/p?q", "https://a/p?q"])
    func `an absolute target that matches the Host is served`(target: String) throws {
        let text = "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n"
        let head = try #require(parse(text).head)
        #expect(Array(text.utf8)[head.path].elementsEqual("/p".utf8))
        #expect(Array(text.utf8)[try #require(head.query)].elementsEqual("q".utf8))
    }

    @Test(arguments: [
        ("http://a:80/", "a"), ("http://a/", "a:80"), ("http://A.Test/", "a.tESt"), ("http://a:/", "a"),
        ("HTTP://a:080/", "A:80"), ("https://a:443/", "a"), ("https://a/", "a:443"), ("http://[::A]:80/", "[::a]"),
    ])
    func `an absolute target may differ from Host in case and port`(target: String, host: String) {
        #expect(parse("GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n").isRequest)
    }

    @Test func `an absolute target may have no path`() {
        #expect(parse("GET http://a HTTP/1.1\r\nHost: a\r\n\r\n").head?.path.isEmpty == true)
        #expect(parse("GET http://a?q HTTP/1.1\r\nHost: a\r\n\r\n").head?.query == 13..<14)
    }

    @Test func `only a path, a query or the end follows an authority`() {
        // Other bytes, such as letters, continue the authority, which then differs from the Host; an empty port does not.
        let accepted = bytes(accepting: "GET http://a§ HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(accepted == Set("/?:".utf8))
    }

    @Test(arguments: [
        "http://u@a/", "http://@a/", "http://a:81/", "https://a:80/", "http://a:443/", "http://b/", "http://a.b/",
        "http:///", "http:/a/",
        "http:a", "http://", "ftp://a/", "://a/", "http//a/", "http://a#f", "http://a/#f", "http://a%62/",
    ])
    func `an absolute target with a different or missing authority is refused`(target: String) {
        #expect(parse("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n").rejection?.status == .badRequest)
    }

    @Test(arguments: ["http://u@a/", "http://[/", "http://a:b/", "http://:80/", "http://a:1:2/", "http://[::g]/"])
    func `an absolute target's authority is checked even without a Host`(target: String) {
        #expect(parse("GET \(target) HTTP/1.0\r\n\r\n").rejection?.status == .badRequest)
    }

    @Test(arguments: ["http://u@u/", "http://u@a/"], ["u", "a", "u@a"])
    func `an absolute target with user information is refused`(target: String, host: String) {
        #expect(parse("GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n").rejection?.status == .badRequest)
    }

    @Test(arguments: HTTPMethod.allCases)
    func `only CONNECT takes the authority form, only OPTIONS the asterisk`(method: HTTPMethod) {
        let authority = parse("\(method.rawValue) a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n")
        let asterisk = parse("\(method.rawValue) * HTTP/1.1\r\nHost: a\r\n\r\n")
        let origin = parse("\(method.rawValue) / HTTP/1.1\r\nHost: a\r\n\r\n")
        let absolute = parse("\(method.rawValue) http://a/ HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(authority.isRequest == (method == .connect))
        #expect(asterisk.isRequest == (method == .options))
        #expect(origin.isRequest == (method != .connect))
        #expect(absolute.isRequest == (method != .connect))
        for result in [authority, asterisk, origin, absolute] where !result.isRequest {
            #expect(result == .rejection(.malformedTarget))
        }
    }

    @Test func `an asterisk followed by another byte is refused`() {
        #expect(bytes(accepting: "OPTIONS *§ HTTP/1.1\r\nHost: a\r\n\r\n").isEmpty)
    }
}
