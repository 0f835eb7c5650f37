import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// Whether a connection persists, and what follows a head (RFC 9112 sections 6 and 9.3).
struct PersistenceTests {
    private func head(_ version: String, _ fields: String...) -> RequestHead? {
        let lines = fields.map { $0 + "\r\n" }.joined()
        return parse("POST / HTTP/\(version)\r\nHost: a\r\n\(lines)\r\n").head
    }

    @Test func `without a Connection field only HTTP/1.1 persists`() {
        #expect(head("1.1")?.isPersistent == true)
        #expect(head("1.0")?.isPersistent == false)
        #expect(head("1.0")?.isVersion10 == true)
        #expect(head("1.1")?.isVersion10 == false)
    }

    @Test(arguments: [
        "close", "Close", "CLOSE", "close, keep-alive", "keep-alive,close", "x, close ,y", ",close,", "te,\tclose",
    ])
    func `the close option ends the connection in both versions`(value: String) {
        #expect(head("1.1", "Connection: \(value)")?.isPersistent == false)
        #expect(head("1.0", "Connection: \(value)")?.isPersistent == false)
    }

    @Test(arguments: ["keep-alive", "Keep-Alive", "x,keep-alive", "keep-alive ,", " \tkeep-alive"])
    func `the keep-alive option keeps the connection open in both versions`(value: String) {
        #expect(head("1.1", "Connection: \(value)")?.isPersistent == true)
        #expect(head("1.0", "Connection: \(value)")?.isPersistent == true)
    }

    @Test(arguments: ["", ",", " , ", "x", "closed", "keep-alives", "upgrade", "not-close"])
    func `any other option leaves the version's default`(value: String) {
        #expect(head("1.1", "Connection: \(value)")?.isPersistent == true)
        #expect(head("1.0", "Connection: \(value)")?.isPersistent == false)
    }

    @Test func `close overrides keep-alive in another field, in either order`() {
        #expect(head("1.1", "Connection: close", "Connection: keep-alive")?.isPersistent == false)
        #expect(head("1.0", "Connection: keep-alive", "Connection: close")?.isPersistent == false)
    }

    @Test func `a body within the limit is dropped; a longer one stays unread`() {
        #expect(head("1.1", "Content-Length: 1")?.body == .discarded(1))
        #expect(head("1.1", "Content-Length: 16384")?.body == .discarded(16_384))
        #expect(head("1.1", "Content-Length: 00016")?.body == .discarded(16))
        #expect(head("1.1", "Content-Length: 16385")?.body == .unread)
        #expect(head("1.1", "Content-Length: 999999999999999999")?.body == .unread)
        #expect(head("1.0", "Content-Length: 5", "Connection: keep-alive")?.body == .discarded(5))
    }

    @Test func `a missing or zero Content-Length means no body`() {
        #expect(head("1.1")?.body == RequestBody.none)
        #expect(head("1.1", "Content-Length: 0")?.body == RequestBody.none)
        #expect(head("1.1", "Content-Length: 000")?.body == RequestBody.none)
        #expect(head("1.1", "Content-Length: 0", "Expect: 100-continue")?.body == RequestBody.none)
    }

    @Test(arguments: ["chunked", "Chunked", "CHUNKED", " chunked\t"])
    func `a chunked body stays unread and ends the connection`(value: String) {
        let head = head("1.1", "Transfer-Encoding: \(value)")
        #expect(head?.body == .unread)
        #expect(head?.isPersistent == false)
    }

    @Test func `a body announced with 100-continue stays unread and ends the connection`() {
        let head = head("1.1", "Content-Length: 5", "Expect: 100-Continue")
        #expect(head?.body == .unread)
        #expect(head?.isPersistent == false)
        // 1.0 knows no expectation (RFC 9110 section 10.1.1).
        #expect(self.head("1.0", "Content-Length: 5", "Expect: 100-continue")?.body == .discarded(5))
    }

    @Test func `an unread body ends the connection despite keep-alive`() {
        #expect(head("1.1", "Content-Length: 16385", "Connection: keep-alive")?.isPersistent == false)
    }
}
