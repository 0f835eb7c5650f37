import Testing

@testable import HTTPServer

/// Whether a connection persists, and what follows a head (RFC 9112 sections 6 and 9.3).
struct PersistenceTests {
    private func head(_ version: String, _ fields: String...) -> RequestHead? {
        let lines = fields.map { $0 + "\r\n" }.joined()
        return parse("POST / HTTP/\(version)\r\nHost: a\r\n\(lines)\r\n").head
    }

    @Test func `without a Connection field 1.1 persists and 1.0 does not`() {
        #expect(head("1.1")?.isPersistent == true)
        #expect(head("1.0")?.isPersistent == false)
        #expect(head("1.0")?.isVersion10 == true)
        #expect(head("1.1")?.isVersion10 == false)
    }

    @Test(arguments: [
        "close", "Close", "CLOSE", "close, keep-alive", "keep-alive,close", "x, close ,y", ",close,", "te,\tclose",
    ])
    func `an option close ends the connection in either version`(value: String) {
        #expect(head("1.1", "Connection: \(value)")?.isPersistent == false)
        #expect(head("1.0", "Connection: \(value)")?.isPersistent == false)
    }

    @Test(arguments: ["keep-alive", "Keep-Alive", "x,keep-alive", "keep-alive ,", " \tkeep-alive"])
    func `an option keep-alive persists in either version`(value: String) {
        #expect(head("1.1", "Connection: \(value)")?.isPersistent == true)
        #expect(head("1.0", "Connection: \(value)")?.isPersistent == true)
    }

    @Test(arguments: ["", ",", " , ", "x", "closed", "keep-alives", "upgrade", "not-close"])
    func `any other option leaves the version's own rule`(value: String) {
        #expect(head("1.1", "Connection: \(value)")?.isPersistent == true)
        #expect(head("1.0", "Connection: \(value)")?.isPersistent == false)
    }

    @Test func `close wins over keep-alive in another field, whichever comes first`() {
        #expect(head("1.1", "Connection: close", "Connection: keep-alive")?.isPersistent == false)
        #expect(head("1.0", "Connection: keep-alive", "Connection: close")?.isPersistent == false)
    }

    @Test func `a body within the limit is dropped, and a longer one is not read`() {
        #expect(head("1.1", "Content-Length: 1")?.body == .discarded(1))
        #expect(head("1.1", "Content-Length: 16384")?.body == .discarded(16_384))
        #expect(head("1.1", "Content-Length: 00016")?.body == .discarded(16))
        #expect(head("1.1", "Content-Length: 16385")?.body == .unread)
        #expect(head("1.1", "Content-Length: 999999999999999999")?.body == .unread)
        #expect(head("1.0", "Content-Length: 5", "Connection: keep-alive")?.body == .discarded(5))
    }

    @Test func `no length and the length 0 are no body`() {
        #expect(head("1.1")?.body == RequestBody.none)
        #expect(head("1.1", "Content-Length: 0")?.body == RequestBody.none)
        #expect(head("1.1", "Content-Length: 000")?.body == RequestBody.none)
        #expect(head("1.1", "Content-Length: 0", "Expect: 100-continue")?.body == RequestBody.none)
    }

    @Test(arguments: ["chunked", "Chunked", "CHUNKED", " chunked\t"])
    func `a chunked body is not read, and ends the connection`(value: String) {
        let head = head("1.1", "Transfer-Encoding: \(value)")
        #expect(head?.body == .unread)
        #expect(head?.isPersistent == false)
    }

    @Test func `a body that waits for 100 (Continue) is not asked for, and ends the connection`() {
        let head = head("1.1", "Content-Length: 5", "Expect: 100-Continue")
        #expect(head?.body == .unread)
        #expect(head?.isPersistent == false)
    }

    @Test func `a body that is not read ends the connection even if it is asked to persist`() {
        #expect(head("1.1", "Content-Length: 16385", "Connection: keep-alive")?.isPersistent == false)
    }
}
