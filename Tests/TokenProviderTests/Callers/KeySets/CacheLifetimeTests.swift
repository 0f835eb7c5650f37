import Testing

@testable import HTTPClient
@testable import TokenProvider

/// For how long a key set is fresh, by its answer's fields (RFC 9111).
@Suite struct CacheLifetimeTests {
    private func seconds(_ fields: [(String, String)]) throws -> Int64? {
        let fields = try fields.map { try HTTPClientField($0.0, $0.1) }
        return CacheLifetime.seconds(HTTPClientResponse(status: 200, fields: fields, body: []))
    }

    @Test(
        arguments: [
            ("max-age=300", 300), ("public, max-age=300, must-revalidate", 300), ("Max-Age=300", 300),
            ("max-age=\"300\"", 300), ("public,max-age=0", 0), ("max-age=300, max-age=5", 300),
            ("no-store", 0), ("no-cache", 0), ("max-age=300, no-store", 0), ("NO-CACHE, max-age=300", 0),
            ("public", nil), ("", nil), ("max-age", nil), ("max-age=", nil), ("max-age=soon", nil),
            ("max-age=1.5", nil), ("s-maxage=300", nil), ("x-max-age=300", nil), ("max-age=-1", 0),
            ("max-age=2147483648", 2_147_483_648), ("max-age=9223372036854775807", 2_147_483_648),
        ] as [(String, Int64?)])
    func `the provider's word is max-age, unless the answer may not be kept`(value: String, expected: Int64?) throws {
        #expect(try seconds([("cache-control", value)]) == expected)
    }

    @Test(
        arguments: [
            ("0", 300), ("100", 200), ("300", 0), ("301", 0), ("9223372036854775807", 0), ("-5", 300), ("old", 300),
        ] as [(String, Int64)])
    func `what an intermediary kept is older than it looks`(age: String, expected: Int64) throws {
        #expect(try seconds([("cache-control", "max-age=300"), ("age", age)]) == expected)
        #expect(try seconds([("age", age)]) == nil)
    }

    @Test func `directives may be spread over several lines, and no field says nothing`() throws {
        #expect(try seconds([("cache-control", "public"), ("cache-control", "max-age=60")]) == 60)
        #expect(try seconds([("cache-control", "max-age=60"), ("cache-control", "no-store")]) == 0)
        #expect(try seconds([]) == nil)
        #expect(try seconds([("expires", "Thu, 01 Dec 2039 16:00:00 GMT")]) == nil)
    }
}
