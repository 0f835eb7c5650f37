import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// Every byte at every kind of position in a request line (RFC 9112 section 3).
struct RequestLineGrammarTests {
    @Test(arguments: ["§ET / HTTP/1.1", "G§T / HTTP/1.1", "GE§ / HTTP/1.1"])
    func `a method holds only token characters`(line: String) {
        let accepted = bytes(accepting: line + "\r\nHost: a\r\n\r\n") { $0.hasWellFormedLine }
        #expect(accepted == Characters.token)
    }

    @Test(arguments: ["GET§/ HTTP/1.1", "GET /§HTTP/1.1"])
    func `exactly one space separates the parts of a request line`(line: String) {
        #expect(bytes(accepting: line + "\r\nHost: a\r\n\r\n") { $0.hasWellFormedLine } == [0x20])
    }

    @Test(arguments: 0..<8)
    func `a version is HTTP/ and two digits separated by a dot`(position: Int) {
        let version = Array("HTTP/1.1")
        let literal = Array("HTTP/1.1".utf8)[position]
        let template = "GET / \(String(version[..<position]))§\(String(version[(position + 1)...]))\r\nHost: a\r\n\r\n"
        let isDigit = position == 5 || position == 7
        let wellFormed = bytes(accepting: template) { $0.isRequest || $0.rejection == .unsupportedVersion }
        #expect(wellFormed == (isDigit ? Characters.digits : [literal]))
    }

    @Test func `only versions of HTTP/1 are served, those after 1.1 as 1.1`() {
        #expect(bytes(accepting: "GET / HTTP/§.1\r\nHost: a\r\n\r\n") == Set("1".utf8))
        #expect(bytes(accepting: "GET / HTTP/1.§\r\nHost: a\r\n\r\n") == Characters.digits)
        for minor in 0...9 {
            let head = parse("GET / HTTP/1.\(minor)\r\nHost: a\r\n\r\n").head
            #expect(head?.isVersion10 == (minor == 0))
            #expect(head?.isPersistent == (minor > 0))
        }
        #expect(parse("GET / HTTP/1.2\r\n\r\n").rejection == .missingHost)
    }

    @Test func `a request line ends only in CR LF`() {
        #expect(bytes(accepting: "GET / HTTP/1.1§\nHost: a\r\n\r\n") == [0x0d])
        #expect(bytes(accepting: "GET / HTTP/1.1\r§Host: a\r\n\r\n") == [0x0a])
    }

    @Test func `a byte before the method belongs to it or is refused`() {
        #expect(bytes(accepting: "§GET / HTTP/1.1\r\nHost: a\r\n\r\n") { $0.hasWellFormedLine } == Characters.token)
    }

    @Test func `a byte after the version is refused`() {
        #expect(bytes(accepting: "GET / HTTP/1.1§\r\nHost: a\r\n\r\n").isEmpty)
    }

    @Test func `one empty line before a request is skipped`() {
        let head = parse("\r\nGET /a HTTP/1.1\r\nHost: a\r\n\r\nGET").head
        #expect(head?.path == 6..<8)
        #expect(head?.length == 30)
    }

    @Test(arguments: HTTPMethod.allCases)
    func `a known method is recognised`(method: HTTPMethod) {
        let target = method == .connect ? "a:443" : "/"
        let head = parse("\(method.rawValue) \(target) HTTP/1.1\r\nHost: a:443\r\n\r\n").head
        #expect(head?.method == method)
    }

    @Test(arguments: ["get", "Get", "GETS", "GE", "PRI", "LINK", "X-A", "!#$%&'*+-.^_`|~"])
    func `a method whose name does not match exactly is 501`(method: String) {
        #expect(parse("\(method) / HTTP/1.1\r\nHost: a\r\n\r\n") == .rejection(.unknownMethod))
    }

    @Test func `a request line without a method is 400`() {
        #expect(parse(" / HTTP/1.1\r\nHost: a\r\n\r\n") == .rejection(.malformedRequestLine))
    }

    @Test func `an unknown method in a malformed request is 400`() {
        #expect(parse("FOO /\u{1} HTTP/1.1\r\nHost: a\r\n\r\n") == .rejection(.malformedTarget))
        #expect(parse("FOO / HTTX/1.1\r\nHost: a\r\n\r\n") == .rejection(.malformedRequestLine))
    }
}
