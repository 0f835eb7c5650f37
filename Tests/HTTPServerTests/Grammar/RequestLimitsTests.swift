import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// Exactly the limit passes, and one more does not.
struct RequestLimitsTests {
    private static let limits = HTTPLimits(maxLine: 40, maxHead: 120, maxFields: 4, maxDiscardedBody: 10)
    private static let line = "GET / HTTP/1.1\r\n"

    private func nextLook(at bytes: [UInt8], _ limits: HTTPLimits) -> Int {
        RequestParser(limits: limits).nextLook(at: bytes.span)
    }

    private func padding(_ count: Int) -> String { String(repeating: "x", count: count) }

    @Test(arguments: [(40, true), (41, false)])
    func `a request line at the limit passes; one byte more is 414`(length: Int, passes: Bool) {
        let line = "GET /" + padding(length - 14) + " HTTP/1.1"
        #expect(line.utf8.count == length)
        let result = parse(line + "\r\nHost: a\r\n\r\n", limits: Self.limits)
        #expect(passes ? result.isRequest : result == .rejection(.targetTooLong))
    }

    @Test(arguments: ["GET /", "GET /?", "GET ", "GET http://", "", "GET /%20"])
    func `an unterminated request line over the limit is 414`(start: String) {
        let text = start + padding(200)
        #expect(parse(String(text.prefix(30)), limits: Self.limits) == .incomplete)
        #expect(parse(String(text.prefix(43)), limits: Self.limits) == .rejection(.targetTooLong))
        #expect(parse(text, limits: Self.limits) == .rejection(.targetTooLong))
    }

    @Test(arguments: [(40, true), (41, false)])
    func `a field line at the limit passes; one byte more is 431`(length: Int, passes: Bool) {
        let value = Self.line + "Host: a\r\nX: " + padding(length - 3) + "\r\n\r\n"
        let name = Self.line + "Host: a\r\n" + padding(length - 1) + ":\r\n\r\n"
        for text in [value, name] {
            let result = parse(text, limits: Self.limits)
            #expect(passes ? result.isRequest : result == .rejection(.fieldsTooLarge))
        }
    }

    @Test(arguments: ["", "X: "])
    func `an unterminated field line over the limit is 431`(start: String) {
        let text = Self.line + start + padding(43 - start.utf8.count)
        #expect(parse(Self.line + start + padding(40 - start.utf8.count), limits: Self.limits) == .incomplete)
        #expect(parse(text, limits: Self.limits) == .rejection(.fieldsTooLarge))
    }

    @Test(arguments: [(120, true), (121, false)])
    func `a head at the limit passes; one byte more is 431`(length: Int, passes: Bool) {
        let start = Self.line + "Host: a\r\nA: " + padding(37) + "\r\nB: " + padding(20) + "\r\nC: "
        let text = start + padding(length - start.utf8.count - 4) + "\r\n\r\n"
        #expect(text.utf8.count == length)
        let result = parse(text, limits: Self.limits)
        #expect(passes ? result.isRequest : result == .rejection(.fieldsTooLarge))
    }

    @Test func `a body does not count toward the head's limit`() {
        #expect(parse(Self.line + "Host: a\r\n\r\n" + padding(1000), limits: Self.limits).isRequest)
    }

    @Test(arguments: [(4, true), (5, false)])
    func `fields up to the limit pass; one field more is 431`(count: Int, passes: Bool) {
        let fields = (1..<count).map { "A\($0): b\r\n" }.joined()
        let result = parse(Self.line + "Host: a\r\n" + fields + "\r\n", limits: Self.limits)
        #expect(passes ? result.isRequest : result == .rejection(.fieldsTooLarge))
    }

    @Test func `the default limits are 16,384-byte lines, 32,768-byte heads and 100 fields`() {
        let long = Self.line + "Host: a\r\nX: " + padding(16_381) + "\r\n"
        let rest = 32_768 - long.utf8.count - 7
        #expect(parse(long + "Y: " + padding(rest) + "\r\n\r\n").isRequest)
        #expect(parse(long + "Y: " + padding(rest + 1) + "\r\n\r\n") == .rejection(.fieldsTooLarge))
        let many = (1..<100).map { "A\($0): b\r\n" }.joined()
        #expect(parse(Self.line + "Host: a\r\n" + many + "\r\n").isRequest)
        #expect(parse(Self.line + "Host: a\r\nB: c\r\n" + many + "\r\n") == .rejection(.fieldsTooLarge))
    }

    @Test func `the status distinguishes a long target from large fields`() {
        #expect(RequestRejection.targetTooLong.status == .uriTooLong)
        #expect(RequestRejection.fieldsTooLarge.status == .requestHeaderFieldsTooLarge)
    }

    @Test(arguments: [
        ("", 43), ("GET /", 43), ("\r\nGET /", 45), ("GET / HTTP/1.1\r\nX: ", 59),
        (
            "GET / HTTP/1.1\r\nA: \(String(repeating: "x", count: 40))\r\nB: \(String(repeating: "x", count: 40))\r\n",
            121
        ),
    ])
    func `an incomplete head is parsed again when it exceeds a limit`(start: String, length: Int) {
        #expect(nextLook(at: Array(start.utf8), Self.limits) == length)
    }

    @Test func `far from limits an incomplete head is parsed every 4096 bytes`() {
        let line = Array("GET /".utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: 12_000)
        #expect(nextLook(at: Array(line[..<100]), HTTPLimits()) == 4196)
        #expect(nextLook(at: line, HTTPLimits()) == 12_005 + 4096)
    }

    @Test func `no cut changes why an oversized request is refused`() {
        let requests = [
            "GET /" + padding(38) + "%zz HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET " + padding(60) + " HTTP/1.1\r\nHost: a\r\n\r\n",
            Self.line + "Host: a\r\nA: " + padding(37) + "\r\nB: " + padding(37) + "\r\nC: " + padding(30)
                + "\u{1}\r\n\r\n",
            Self.line + "Host: a\r\nX: " + padding(45) + "\u{1}\r\n\r\n",
            Self.line + "Host: a\r\n" + padding(45) + "\u{1}\r\n\r\n",
        ]
        for text in requests {
            let whole = parse(text, limits: Self.limits)
            #expect(whole.rejection != nil)
            for count in 0..<text.utf8.count {
                let prefix = parse(Array(Array(text.utf8)[..<count]), limits: Self.limits)
                #expect(prefix == .incomplete || prefix == whole, "\(count) bytes of \(text)")
            }
        }
    }
}
