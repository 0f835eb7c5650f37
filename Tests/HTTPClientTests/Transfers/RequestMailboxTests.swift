import Testing

@testable import HTTPClient

struct RequestMailboxTests {
    @Test func `a renewed mailbox has another handle of libcurl`() throws {
        try CurlLibrary.require()
        let mailbox = try RequestMailbox(HTTPClientSettings())
        let failed = mailbox.multi
        try mailbox.renew()
        #expect(mailbox.multi !== failed)
    }
}
