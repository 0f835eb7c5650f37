import Testing

@testable import HTTPClient

/// How long a key set is fresh, according to the response's headers (RFC 9111).
@Suite struct CacheLifetimeTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT.
    private static let now: Int64 = 784_111_777

    private func seconds(_ fields: [(String, String)]) throws -> Int64? {
        let fields = try fields.map { try HTTPClientField($0.0, $0.1) }
        let body = HTTPClientBody([], isProven: true)
        return CacheLifetime.seconds(HTTPClientResponse(status: 200, fields: fields, body: body), at: Self.now)
    }

    @Test(
        arguments: [
            ("max-age=300", 300), ("public, max-age=300, must-revalidate", 300), ("Max-Age=300", 300),
            ("max-age=\"300\"", 300), ("public,max-age=0", 0), ("max-age=300, max-age=5", 300),
            ("no-store", 0), ("no-cache", 0), ("max-age=300, no-store", 0), ("NO-CACHE, max-age=300", 0),
            ("public", nil), ("", nil), ("max-age", nil), ("max-age=", nil), ("max-age=soon", nil),
            ("max-age=1.5", nil), ("s-maxage=300", nil), ("x-max-age=300", nil), ("max-age=-1", 0),
            ("max-age=2147483648", 2_147_483_648), ("max-age=9223372036854775807", 2_147_483_648),
            ("max-age=9223372036854775808", 2_147_483_648), ("max-age=99999999999999999999999999", 2_147_483_648),
            ("max-age=-9223372036854775809", 0), ("max-age=9223372036854775808s", nil), ("max-age=--1", nil),
            ("max-age=" + String(repeating: "-", count: 65_000) + "1", nil),
        ] as [(String, Int64?)])
    func `max-age sets the lifetime unless the response must not be cached`(value: String, expected: Int64?) throws {
        #expect(try seconds([("cache-control", value)]) == expected)
    }

    @Test(
        arguments: [
            ("0", 300), ("100", 200), ("300", 0), ("301", 0), ("9223372036854775807", 0), ("-5", 300), ("old", 300),
        ] as [(String, Int64)])
    func `the Age of a cached response is subtracted from its lifetime`(age: String, expected: Int64) throws {
        #expect(try seconds([("cache-control", "max-age=300"), ("age", age)]) == expected)
        #expect(try seconds([("age", age)]) == nil)
    }

    @Test func `directives may span several headers; no headers give no lifetime`() throws {
        #expect(try seconds([("cache-control", "public"), ("cache-control", "max-age=60")]) == 60)
        #expect(try seconds([("cache-control", "max-age=60"), ("cache-control", "no-store")]) == 0)
        #expect(try seconds([]) == nil)
    }

    @Test(
        arguments: [
            (["Sun, 06 Nov 1994 08:59:37 GMT"], nil, 600), (["Sun, 06 Nov 1994 08:49:37 GMT"], nil, 0),
            (["Sun, 06 Nov 1994 08:49:36 GMT"], nil, 0), (["Mon, 07 Nov 1994 08:49:37 GMT"], nil, 86_400),
            (["Fri, 31 Dec 9999 23:59:59 GMT"], nil, 2_147_483_648), (["Thu, 01 Jan 1970 00:00:00 GMT"], nil, 0),
            // The sender's clock is ahead of ours, or cannot be read.
            (["Sun, 06 Nov 1994 09:49:37 GMT"], "Sun, 06 Nov 1994 09:44:37 GMT", 300),
            (["Sun, 06 Nov 1994 08:54:37 GMT"], "now", 300), (["Sun, 06 Nov 1994 08:54:37 GMT"], "0", 300),
            // An invalid date is in the past, and the first of several headers is used.
            (["0"], nil, 0), (["-1"], nil, 0), ([""], nil, 0), (["Sun, 06 Nov 1994 08:59:37 UTC"], nil, 0),
            (["0", "Sun, 06 Nov 1994 08:59:37 GMT"], nil, 0), (["Sun, 06 Nov 1994 08:59:37 GMT", "0"], nil, 600),
        ] as [([String], String?, Int64)])
    func `without max-age the lifetime is from Date or now to Expires`(
        expires: [String], date: String?, expected: Int64
    ) throws {
        var fields = expires.map { ("expires", $0) }
        if let date { fields.append(("date", date)) }
        #expect(try seconds(fields) == expected)
        #expect(try seconds(fields + [("cache-control", "public, max-age=soon")]) == expected)
        #expect(try seconds(fields + [("age", "100")]) == max(0, expected - 100))
    }

    @Test func `max-age overrides Expires, and no-store overrides both`() throws {
        let expires = ("expires", "Sun, 06 Nov 1994 08:59:37 GMT")
        #expect(try seconds([expires, ("cache-control", "max-age=5")]) == 5)
        #expect(try seconds([("expires", "0"), ("cache-control", "max-age=5")]) == 5)
        #expect(try seconds([expires, ("cache-control", "no-store")]) == 0)
    }
}
