import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

struct RequestRejectionTests {
    /// Written out again, since clients rely on these codes and sentences.
    private static let table: [(code: String, status: Int, sentence: String)] = [
        (
            "malformed_request_line", 400,
            "The request line is malformed; expected a method, a target and HTTP/1.1, one space apart, then CR LF."
        ),
        (
            "malformed_target", 400,
            "The request target is malformed: RFC 3986 does not allow one of its characters or percent-encodings; "
                + "expected %XX for other characters."
        ),
        ("unknown_method", 501, "The method is not known to this server; expected one of RFC 9110, such as GET."),
        ("unsupported_version", 505, "The protocol version is not served here; expected HTTP/1.1 or HTTP/1.0."),
        (
            "target_too_long", 414,
            "The request line is longer than this server accepts; expected a shorter path and query."
        ),
        (
            "malformed_field", 400,
            "A header is malformed; expected a name, a colon, a value without control characters, then CR LF."
        ),
        (
            "fields_too_large", 431,
            "The request has more headers, or longer ones, than this server accepts; expected fewer or shorter ones."
        ),
        (
            "missing_host", 400,
            "The request has no Host header, which HTTP/1.1 requires; expected one HOST or HOST:PORT."
        ),
        (
            "malformed_host", 400,
            "The Host header is repeated, malformed or not the target's authority; expected one HOST or HOST:PORT."
        ),
        (
            "conflicting_length", 400,
            "The body's length is given twice; expected one Content-Length or one Transfer-Encoding."
        ),
        ("malformed_length", 400, "The Content-Length is malformed; expected decimal digits."),
        ("unknown_transfer_coding", 501, "The Transfer-Encoding is not known to this server; expected chunked."),
        (
            "unknown_expectation", 417,
            "The Expect header asks for what this server cannot do; expected 100-continue."
        ),
        (
            "head_timeout", 408,
            "The headers of the request arrived too slowly; expected all of them in the time allowed."
        ),
        (
            "too_many_connections", 503,
            "The server has as many connections as it may, in all or from this address; expected fewer, or another "
                + "attempt later."
        ),
        (
            "answer_abandoned", 503,
            "The request was accepted, but the server failed to answer it; expected another attempt."
        ),
        (
            "plain_request", 400,
            "The request came in plain HTTP, but this port speaks TLS; expected an https URL."
        ),
    ]

    @Test func `every rejection has its code, status and sentence`() throws {
        #expect(Self.table.map(\.code) == RequestRejection.allCases.map(\.code))
        for (row, rejection) in zip(Self.table, RequestRejection.allCases) {
            #expect(rejection.status.rawValue == row.status)
            #expect(rejection.detail == row.sentence)
        }
    }

    @Test(arguments: RequestRejection.allCases)
    func `a rejection has an error status, a code and one sentence`(rejection: RequestRejection) {
        #expect((400..<600).contains(rejection.status.rawValue))
        #expect(rejection.code.utf8.allSatisfy { Characters.letters.contains($0) || $0 == UInt8(ascii: "_") })
        #expect(rejection.code == rejection.code.lowercased())
        #expect(rejection.detail.hasSuffix("."))
        #expect(rejection.detail.first?.isUppercase == true)
    }

    @Test func `no two rejections share a code or a sentence`() {
        #expect(Set(RequestRejection.allCases.map(\.code)).count == RequestRejection.allCases.count)
        #expect(Set(RequestRejection.allCases.map(\.detail)).count == RequestRejection.allCases.count)
    }
}
