import Testing

@testable import HTTPServer

/// Requests that two parties could read differently are refused (RFC 9112 sections 2.2, 3.2, 5.1, 6.1, 6.3, 11.2).
struct SmugglingTests {
    struct Attempt: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let reason: RequestRejection

        /// Fields of a POST request, without its request line and Host.
        init(_ name: String, fields: String, _ reason: RequestRejection, version: String = "1.1") {
            self.init(name, raw: "POST / HTTP/\(version)\r\nHost: a\r\n\(fields)\r\n\r\n", reason)
        }

        init(_ name: String, raw: String, _ reason: RequestRejection) {
            self.name = name
            self.text = raw
            self.reason = reason
        }

        var testDescription: String { name }
    }

    static let bodyLengths = [
        Attempt("CL, TE", fields: "Content-Length: 5\r\nTransfer-Encoding: chunked", .conflictingLength),
        Attempt("TE, CL", fields: "Transfer-Encoding: chunked\r\nContent-Length: 5", .conflictingLength),
        Attempt("CL 0, TE", fields: "Content-Length: 0\r\nTransfer-Encoding: chunked", .conflictingLength),
        Attempt("CL, TE unknown", fields: "Content-Length: 5\r\nTransfer-Encoding: x", .conflictingLength),
        Attempt("two CL, equal", fields: "Content-Length: 5\r\nContent-Length: 5", .conflictingLength),
        Attempt("two CL, different", fields: "Content-Length: 5\r\ncontent-length: 6", .conflictingLength),
        Attempt("CL list, equal", fields: "Content-Length: 5, 5", .malformedLength),
        Attempt("CL list, different", fields: "Content-Length: 5,6", .malformedLength),
        Attempt("CL with plus", fields: "Content-Length: +5", .malformedLength),
        Attempt("CL with minus", fields: "Content-Length: -5", .malformedLength),
        Attempt("CL minus zero", fields: "Content-Length: -0", .malformedLength),
        Attempt("CL hexadecimal", fields: "Content-Length: 0x5", .malformedLength),
        Attempt("CL letters", fields: "Content-Length: five", .malformedLength),
        Attempt("CL inner space", fields: "Content-Length: 5 5", .malformedLength),
        Attempt("CL inner tab", fields: "Content-Length: 5\t5", .malformedLength),
        Attempt("CL empty", fields: "Content-Length:", .malformedLength),
        Attempt("CL blank", fields: "Content-Length: \t ", .malformedLength),
        Attempt("CL decimal point", fields: "Content-Length: 5.0", .malformedLength),
        Attempt("CL exponent", fields: "Content-Length: 1e1", .malformedLength),
        Attempt("CL separator", fields: "Content-Length: 1_0", .malformedLength),
        Attempt("CL quoted", fields: "Content-Length: \"5\"", .malformedLength),
        Attempt("CL semicolon", fields: "Content-Length: 5;", .malformedLength),
        Attempt("CL non-ASCII digit", fields: "Content-Length: \u{0665}", .malformedLength),
        Attempt("CL 19 digits", fields: "Content-Length: 0000000000000000005", .malformedLength),
        Attempt("CL 2^63", fields: "Content-Length: 9223372036854775808", .malformedLength),
        Attempt("CL 2^64 + 5", fields: "Content-Length: 18446744073709551621", .malformedLength),
        Attempt("CL vertical tab", fields: "Content-Length: \u{0b}5", .malformedField),
        Attempt("CL with underscore", fields: "Content_Length: 5", .malformedField),
        Attempt("CL with underscore, in 1.0", fields: "CONTENT_LENGTH: 5", .malformedField, version: "1.0"),
        Attempt("CL NUL", fields: "Content-Length: 5\0", .malformedField),
    ]

    static let transferCodings = [
        Attempt("two TE", fields: "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", .conflictingLength),
        Attempt(
            "two TE, one identity", fields: "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
            .conflictingLength),
        Attempt("chunked twice", fields: "Transfer-Encoding: chunked, chunked", .unknownTransferCoding),
        Attempt("gzip, chunked", fields: "Transfer-Encoding: gzip, chunked", .unknownTransferCoding),
        Attempt("chunked, gzip", fields: "Transfer-Encoding: chunked, gzip", .unknownTransferCoding),
        Attempt("chunked, identity", fields: "Transfer-Encoding: chunked, identity", .unknownTransferCoding),
        Attempt("identity", fields: "Transfer-Encoding: identity", .unknownTransferCoding),
        Attempt("xchunked", fields: "Transfer-Encoding: xchunked", .unknownTransferCoding),
        Attempt("chunkedx", fields: "Transfer-Encoding: chunkedx", .unknownTransferCoding),
        Attempt("chunked with parameter", fields: "Transfer-Encoding: chunked;q=1", .unknownTransferCoding),
        Attempt("chunked with comma", fields: "Transfer-Encoding: chunked,", .unknownTransferCoding),
        Attempt("comma, chunked", fields: "Transfer-Encoding: ,chunked", .unknownTransferCoding),
        Attempt("quoted chunked", fields: "Transfer-Encoding: \"chunked\"", .unknownTransferCoding),
        Attempt("chunked with obs-text", fields: "Transfer-Encoding: chunked\u{a0}", .unknownTransferCoding),
        Attempt("dotless chunked", fields: "Transfer-Encoding: \u{212a}chunked", .unknownTransferCoding),
        Attempt("empty", fields: "Transfer-Encoding:", .unknownTransferCoding),
        Attempt("vertical tab", fields: "Transfer-Encoding: \u{0b}chunked", .malformedField),
        Attempt("name with space", fields: "Transfer-Encoding : chunked", .malformedField),
        Attempt("name with tab", fields: "Transfer-Encoding\t: chunked", .malformedField),
        Attempt("space before name", fields: " Transfer-Encoding: chunked", .malformedField),
        Attempt("name with NUL", fields: "Transfer-Encoding\0: chunked", .malformedField),
        Attempt("folded value", fields: "Transfer-Encoding:\r\n chunked", .unknownTransferCoding),
        Attempt("name with underscore", fields: "transfer_encoding: chunked", .malformedField),
        Attempt("TE in 1.0", fields: "Transfer-Encoding: chunked", .conflictingLength, version: "1.0"),
    ]

    static let lines = [
        Attempt("folded field", fields: "X: a\r\n b", .malformedField),
        Attempt("folded by tab", fields: "X: a\r\n\tb", .malformedField),
        Attempt("no colon", fields: "X", .malformedField),
        Attempt("no name", fields: ": x", .malformedField),
        Attempt("bare CR in value", fields: "X: a\rContent-Length: 5", .malformedField),
        Attempt("bare LF in value", fields: "X: a\nContent-Length: 5", .malformedField),
        Attempt("CR CR LF", fields: "X: a\r", .malformedField),
        Attempt("NUL in value", fields: "X: a\0b", .malformedField),
        Attempt("NUL in name", fields: "X\0: a", .malformedField),
        Attempt("bare LF after the line", raw: "GET / HTTP/1.1\nHost: a\r\n\r\n", .malformedRequestLine),
        Attempt("bare CR after the line", raw: "GET / HTTP/1.1\rHost: a\r\n\r\n", .malformedRequestLine),
        Attempt("bare LF at the end", raw: "GET / HTTP/1.1\r\nHost: a\r\n\n", .malformedField),
        Attempt("bare CR at the end", raw: "GET / HTTP/1.1\r\nHost: a\r\n\rX", .malformedField),
        Attempt("all LF", raw: "GET / HTTP/1.1\nHost: a\n\n", .malformedRequestLine),
        Attempt("two empty lines before", raw: "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
        Attempt("LF before", raw: "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
        Attempt("CR before", raw: "\rGET / HTTP/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
        Attempt("space before", raw: " GET / HTTP/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
        Attempt("two spaces, first", raw: "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
        Attempt("two spaces, second", raw: "GET /  HTTP/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
        Attempt("tab, first", raw: "GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
        Attempt("tab, second", raw: "GET /\tHTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
        Attempt("trailing space", raw: "GET / HTTP/1.1 \r\nHost: a\r\n\r\n", .malformedRequestLine),
        Attempt("three parts and one", raw: "GET / x HTTP/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
        Attempt("TLS", raw: "\u{16}\u{3}\u{1}\u{2}\0\u{1}", .malformedRequestLine),
    ]

    static let targetsAndHosts = [
        Attempt("no version", raw: "GET /\r\n\r\n", .malformedTarget),
        Attempt("0.9", raw: "GET / HTTP/0.9\r\nHost: a\r\n\r\n", .unsupportedVersion),
        Attempt("2.0", raw: "GET / HTTP/2.0\r\nHost: a\r\n\r\n", .unsupportedVersion),
        Attempt("2 preface", raw: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .unsupportedVersion),
        Attempt("1.10", raw: "GET / HTTP/1.10\r\nHost: a\r\n\r\n", .malformedRequestLine),
        Attempt("01.1", raw: "GET / HTTP/01.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
        Attempt("lower-case version", raw: "GET / http/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
        Attempt("lower-case method", raw: "get / HTTP/1.1\r\nHost: a\r\n\r\n", .unknownMethod),
        Attempt("fragment", raw: "GET /#a HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
        Attempt("non-ASCII", raw: "GET /é HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
        Attempt("NUL", raw: "GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
        Attempt("%zz", raw: "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
        Attempt("%4", raw: "GET /%4 HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
        Attempt("% alone", raw: "GET /% HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
        Attempt("%u0041", raw: "GET /%u0041 HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
        Attempt("backslash", raw: "GET /a\\b HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
        Attempt("quote", raw: "GET /?a=\" HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
        Attempt("relative", raw: "GET a/b HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
        Attempt("CONNECT with a path", raw: "CONNECT / HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
        Attempt("GET with an authority", raw: "GET a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n", .malformedTarget),
        Attempt("GET *", raw: "GET * HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
        Attempt("TRACE *", raw: "TRACE * HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
        Attempt("other authority", raw: "GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n", .malformedHost),
        Attempt("CONNECT, other authority", raw: "CONNECT b:1 HTTP/1.1\r\nHost: a:1\r\n\r\n", .malformedHost),
        Attempt("two Hosts", fields: "Host: a", .malformedHost),
        Attempt("no Host", raw: "GET / HTTP/1.1\r\nX: a\r\n\r\n", .missingHost),
        Attempt("space after Host", raw: "GET / HTTP/1.1\r\nHost : a\r\n\r\n", .malformedField),
        Attempt("expectation", fields: "Expect: 200-ok", .unknownExpectation),
        Attempt("expectations", fields: "Expect: 100-continue, x", .unknownExpectation),
        Attempt("Connection not tokens", fields: "Connection: close; x", .malformedField),
        Attempt("Connection with a space", fields: "Connection: close keep-alive", .malformedField),
    ]

    @Test(arguments: bodyLengths)
    func `an ambiguous body length is refused`(attempt: Attempt) {
        #expect(parse(attempt.text) == .rejection(attempt.reason))
    }

    @Test(arguments: transferCodings)
    func `any transfer coding other than a single chunked is refused`(attempt: Attempt) {
        #expect(parse(attempt.text) == .rejection(attempt.reason))
    }

    @Test(arguments: lines)
    func `a line with ambiguous boundaries is refused`(attempt: Attempt) {
        #expect(parse(attempt.text) == .rejection(attempt.reason))
    }

    @Test(arguments: targetsAndHosts)
    func `an ambiguous target or host is refused`(attempt: Attempt) {
        #expect(parse(attempt.text) == .rejection(attempt.reason))
    }
}
