import Testing

@testable import HTTPServer

/// A request that two parties could read differently, and why it is refused (RFC 9112 sections 2.2, 3.2, 5.1, 6.1, 6.3, 11.2).
struct AmbiguousRequest: Sendable, CustomTestStringConvertible {
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

    static let bodyLengths = [
        Self("CL, TE", fields: "Content-Length: 5\r\nTransfer-Encoding: chunked", .conflictingLength),
        Self("TE, CL", fields: "Transfer-Encoding: chunked\r\nContent-Length: 5", .conflictingLength),
        Self("CL 0, TE", fields: "Content-Length: 0\r\nTransfer-Encoding: chunked", .conflictingLength),
        Self("CL, TE unknown", fields: "Content-Length: 5\r\nTransfer-Encoding: x", .conflictingLength),
        Self("two CL, equal", fields: "Content-Length: 5\r\nContent-Length: 5", .conflictingLength),
        Self("two CL, different", fields: "Content-Length: 5\r\ncontent-length: 6", .conflictingLength),
        Self("CL list, equal", fields: "Content-Length: 5, 5", .malformedLength),
        Self("CL list, different", fields: "Content-Length: 5,6", .malformedLength),
        Self("CL with plus", fields: "Content-Length: +5", .malformedLength),
        Self("CL with minus", fields: "Content-Length: -5", .malformedLength),
        Self("CL minus zero", fields: "Content-Length: -0", .malformedLength),
        Self("CL hexadecimal", fields: "Content-Length: 0x5", .malformedLength),
        Self("CL letters", fields: "Content-Length: five", .malformedLength),
        Self("CL inner space", fields: "Content-Length: 5 5", .malformedLength),
        Self("CL inner tab", fields: "Content-Length: 5\t5", .malformedLength),
        Self("CL empty", fields: "Content-Length:", .malformedLength),
        Self("CL blank", fields: "Content-Length: \t ", .malformedLength),
        Self("CL decimal point", fields: "Content-Length: 5.0", .malformedLength),
        Self("CL exponent", fields: "Content-Length: 1e1", .malformedLength),
        Self("CL separator", fields: "Content-Length: 1_0", .malformedLength),
        Self("CL quoted", fields: "Content-Length: \"5\"", .malformedLength),
        Self("CL semicolon", fields: "Content-Length: 5;", .malformedLength),
        Self("CL non-ASCII digit", fields: "Content-Length: \u{0665}", .malformedLength),
        Self("CL 19 digits", fields: "Content-Length: 0000000000000000005", .malformedLength),
        Self("CL 2^63", fields: "Content-Length: 9223372036854775808", .malformedLength),
        Self("CL 2^64 + 5", fields: "Content-Length: 18446744073709551621", .malformedLength),
        Self("CL vertical tab", fields: "Content-Length: \u{0b}5", .malformedField),
        Self("CL with underscore", fields: "Content_Length: 5", .malformedField),
        Self("CL with underscore, in 1.0", fields: "CONTENT_LENGTH: 5", .malformedField, version: "1.0"),
        Self("CL NUL", fields: "Content-Length: 5\0", .malformedField),
    ]

    static let transferCodings = [
        Self("two TE", fields: "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", .conflictingLength),
        Self(
            "two TE, one identity", fields: "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
            .conflictingLength),
        Self("chunked twice", fields: "Transfer-Encoding: chunked, chunked", .unknownTransferCoding),
        Self("gzip, chunked", fields: "Transfer-Encoding: gzip, chunked", .unknownTransferCoding),
        Self("chunked, gzip", fields: "Transfer-Encoding: chunked, gzip", .unknownTransferCoding),
        Self("chunked, identity", fields: "Transfer-Encoding: chunked, identity", .unknownTransferCoding),
        Self("identity", fields: "Transfer-Encoding: identity", .unknownTransferCoding),
        Self("xchunked", fields: "Transfer-Encoding: xchunked", .unknownTransferCoding),
        Self("chunkedx", fields: "Transfer-Encoding: chunkedx", .unknownTransferCoding),
        Self("chunked with parameter", fields: "Transfer-Encoding: chunked;q=1", .unknownTransferCoding),
        Self("chunked with comma", fields: "Transfer-Encoding: chunked,", .unknownTransferCoding),
        Self("comma, chunked", fields: "Transfer-Encoding: ,chunked", .unknownTransferCoding),
        Self("quoted chunked", fields: "Transfer-Encoding: \"chunked\"", .unknownTransferCoding),
        Self("chunked with obs-text", fields: "Transfer-Encoding: chunked\u{a0}", .unknownTransferCoding),
        Self("dotless chunked", fields: "Transfer-Encoding: \u{212a}chunked", .unknownTransferCoding),
        Self("empty", fields: "Transfer-Encoding:", .unknownTransferCoding),
        Self("vertical tab", fields: "Transfer-Encoding: \u{0b}chunked", .malformedField),
        Self("name with space", fields: "Transfer-Encoding : chunked", .malformedField),
        Self("name with tab", fields: "Transfer-Encoding\t: chunked", .malformedField),
        Self("space before name", fields: " Transfer-Encoding: chunked", .malformedField),
        Self("name with NUL", fields: "Transfer-Encoding\0: chunked", .malformedField),
        Self("folded value", fields: "Transfer-Encoding:\r\n chunked", .unknownTransferCoding),
        Self("name with underscore", fields: "transfer_encoding: chunked", .malformedField),
        Self("TE in 1.0", fields: "Transfer-Encoding: chunked", .conflictingLength, version: "1.0"),
    ]

    static let lines = [
        Self("folded field", fields: "X: a\r\n b", .malformedField),
        Self("folded by tab", fields: "X: a\r\n\tb", .malformedField),
        Self("no colon", fields: "X", .malformedField),
        Self("no name", fields: ": x", .malformedField),
        Self("bare CR in value", fields: "X: a\rContent-Length: 5", .malformedField),
        Self("bare LF in value", fields: "X: a\nContent-Length: 5", .malformedField),
        Self("CR CR LF", fields: "X: a\r", .malformedField),
        Self("NUL in value", fields: "X: a\0b", .malformedField),
        Self("NUL in name", fields: "X\0: a", .malformedField),
        Self("bare LF after the line", raw: "GET / HTTP/1.1\nHost: a\r\n\r\n", .malformedRequestLine),
        Self("bare CR after the line", raw: "GET / HTTP/1.1\rHost: a\r\n\r\n", .malformedRequestLine),
        Self("bare LF at the end", raw: "GET / HTTP/1.1\r\nHost: a\r\n\n", .malformedField),
        Self("bare CR at the end", raw: "GET / HTTP/1.1\r\nHost: a\r\n\rX", .malformedField),
        Self("all LF", raw: "GET / HTTP/1.1\nHost: a\n\n", .malformedRequestLine),
        Self("two empty lines before", raw: "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
        Self("LF before", raw: "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
        Self("CR before", raw: "\rGET / HTTP/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
        Self("space before", raw: " GET / HTTP/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
        Self("two spaces, first", raw: "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
        Self("two spaces, second", raw: "GET /  HTTP/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
        Self("tab, first", raw: "GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
        Self("tab, second", raw: "GET /\tHTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
        Self("trailing space", raw: "GET / HTTP/1.1 \r\nHost: a\r\n\r\n", .malformedRequestLine),
        Self("three parts and one", raw: "GET / x HTTP/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
        Self("TLS", raw: "\u{16}\u{3}\u{1}\u{2}\0\u{1}", .malformedRequestLine),
    ]

    static let targetsAndHosts = [
        Self("no version", raw: "GET /\r\n\r\n", .malformedTarget),
        Self("0.9", raw: "GET / HTTP/0.9\r\nHost: a\r\n\r\n", .unsupportedVersion),
        Self("2.0", raw: "GET / HTTP/2.0\r\nHost: a\r\n\r\n", .unsupportedVersion),
        Self("2 preface", raw: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .unsupportedVersion),
        Self("1.10", raw: "GET / HTTP/1.10\r\nHost: a\r\n\r\n", .malformedRequestLine),
        Self("01.1", raw: "GET / HTTP/01.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
        Self("lower-case version", raw: "GET / http/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
        Self("lower-case method", raw: "get / HTTP/1.1\r\nHost: a\r\n\r\n", .unknownMethod),
        Self("fragment", raw: "GET /#a HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
        Self("non-ASCII", raw: "GET /é HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
        Self("NUL", raw: "GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
        Self("%zz", raw: "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
        Self("%4", raw: "GET /%4 HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
        Self("% alone", raw: "GET /% HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
        Self("%u0041", raw: "GET /%u0041 HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
        Self("backslash", raw: "GET /a\\b HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
        Self("quote", raw: "GET /?a=\" HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
        Self("relative", raw: "GET a/b HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
        Self("CONNECT with a path", raw: "CONNECT / HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
        Self("GET with an authority", raw: "GET a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n", .malformedTarget),
        Self("GET *", raw: "GET * HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
        Self("TRACE *", raw: "TRACE * HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
        Self("other authority", raw: "GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n", .malformedHost),
        Self("CONNECT, other authority", raw: "CONNECT b:1 HTTP/1.1\r\nHost: a:1\r\n\r\n", .malformedHost),
        Self("two Hosts", fields: "Host: a", .malformedHost),
        Self("no Host", raw: "GET / HTTP/1.1\r\nX: a\r\n\r\n", .missingHost),
        Self("space after Host", raw: "GET / HTTP/1.1\r\nHost : a\r\n\r\n", .malformedField),
        Self("expectation", fields: "Expect: 200-ok", .unknownExpectation),
        Self("expectations", fields: "Expect: 100-continue, x", .unknownExpectation),
        Self("Connection not tokens", fields: "Connection: close; x", .malformedField),
        Self("Connection with a space", fields: "Connection: close keep-alive", .malformedField),
    ]
}
