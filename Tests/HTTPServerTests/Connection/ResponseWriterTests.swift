import Testing

@testable import HTTPServer

/// A response's bytes (RFC 9112 section 4).
struct ResponseWriterTests {
    private func write(
        _ status: HTTPStatus = .ok, isHead: Bool = false, isVersion10: Bool = false, isPersistent: Bool = true
    ) throws -> String {
        let fields = try #require(HTTPFields([("Content-Type", "text/plain")]))
        let output = OutputBuffer(capacity: 16)
        let date = HTTPDate()
        date.update(to: 784_111_777)
        output.append(
            HTTPResponse(status: status, fields: fields, body: Array("hello".utf8)),
            ResponseContext(isHead: isHead, isVersion10: isVersion10, isPersistent: isPersistent, requestID: 0xbeef),
            at: date)
        return String(decoding: output.bytes, as: UTF8.self)
    }

    private let start = """
        HTTP/1.1 200 OK\r
        Date: Sun, 06 Nov 1994 08:49:37 GMT\r
        X-Request-ID: 000000000000beef\r
        Content-Type: text/plain\r
        Content-Length: 5\r

        """

    @Test func `a response has a status line, fields, an empty line, a body`() throws {
        #expect(try write() == start + "\r\nhello")
    }

    @Test func `a response to HEAD has the length but no body`() throws {
        #expect(try write(isHead: true) == start + "\r\n")
    }

    @Test func `close is announced in both versions, keep-alive only in HTTP/1.0`() throws {
        #expect(try write(isPersistent: false) == start + "Connection: close\r\n\r\nhello")
        #expect(try write(isVersion10: true, isPersistent: false) == start + "Connection: close\r\n\r\nhello")
        #expect(try write(isVersion10: true) == start + "Connection: keep-alive\r\n\r\nhello")
    }

    @Test(arguments: [
        (HTTPStatus.badRequest, "400 Bad Request"), (.notFound, "404 Not Found"),
        (.requestTimeout, "408 Request Timeout"),
        (.uriTooLong, "414 URI Too Long"), (.serviceUnavailable, "503 Service Unavailable"),
        (.httpVersionNotSupported, "505 HTTP Version Not Supported"),
    ])
    func `a status line has the number and the reason phrase`(status: HTTPStatus, line: String) throws {
        #expect(try write(status).hasPrefix("HTTP/1.1 \(line)\r\n"))
    }

    @Test func `a 204 response has neither a body nor a length`() throws {
        let response = try write(.noContent)
        #expect(
            response == start.replacing("200 OK", with: "204 No Content").replacing("Content-Length: 5\r\n", with: "")
                + "\r\n")
    }
}
