import TestSupport
import Foundation
import Testing

/// What a real browser lets pages of other origins read.
@Suite(.blocking) struct BrowserTests {
    static let allowed = "http://app.fleet.test"
    /// It begins with the allowed origin.
    static let forbidden = "http://app.fleet.test.evil.test"

    @Test func `only a page of the allowed origin can read tokens`()
        throws
    {
        let scratch = try Scratch()
        let daemon = try DaemonProcess(
            scratch: scratch, key: ServiceAccountFile(in: scratch),
            environment: ["TOKEN_PROVIDER_CORS_ALLOWED_ORIGINS": Self.allowed])
        let pages = try PythonClients.run("browser_page.py", [daemon.url, Self.allowed, Self.forbidden])

        let page = try #require(pages[Self.allowed] as? [String: [String: Any]])
        let body = try #require(page["authorized"]?["body"] as? [String: Any], "\(page)")
        #expect(Set(body.keys) == ["jwt", "token", "creationTimestamp", "expirationTimestamp"])
        #expect(try #require(body["jwt"] as? String).split(separator: ".").count == 3)
        #expect((page["cached"]?["body"] as? [String: Any])?["jwt"] as? String == body["jwt"] as? String)
        let relative = try #require(page["javascript"]?["body"] as? [String: Any])
        #expect(try #require(relative["expiresInSeconds"] as? Int) > 60)
        #expect(page["plain"]?["status"] as? Int == 200)
        // A page may read errors too.
        #expect(page["error"]?["status"] as? Int == 400)
        #expect((page["error"]?["body"] as? [String: Any])?["code"] as? String == "invalid_id")
        for attempt in ["otherField", "otherMethod", "withCookies"] { expectRefused(page[attempt], attempt) }

        let other = try #require(pages[Self.forbidden] as? [String: [String: Any]])
        #expect(other.count == page.count)
        for (attempt, result) in other { expectRefused(result, "the other page's \(attempt)") }

        #expect(try daemon.end() == 0)
        let log = try daemon.log()
        #expect(log.contains("method=OPTIONS path=/token status=204"))
        #expect(log.contains("method=OPTIONS path=/token status=403"))
    }

    private func expectRefused(_ result: [String: Any]?, _ what: String) {
        #expect(result?["refused"] as? String == "TypeError", "\(what): \(result ?? [:])")
        #expect(result?["body"] == nil)
    }
}
