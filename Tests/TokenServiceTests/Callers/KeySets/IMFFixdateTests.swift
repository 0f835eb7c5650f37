import Testing

@testable import HTTPServer
@testable import StrictJSON

/// HTTP dates (RFC 9110 section 5.6.7).
@Suite struct IMFFixdateTests {
    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ] as [(String, Int64)])
    func `a valid date is parsed to seconds since the epoch`(text: String, seconds: Int64) {
        #expect(IMFFixdate.epochSeconds(text) == seconds)
    }

    @Test func `dates written by the server are parsed back`() {
        for seconds in stride(from: Int64(0), through: 253_402_300_799, by: 123_456_789) {
            #expect(IMFFixdate.epochSeconds(String(decoding: HTTPDate.render(seconds), as: UTF8.self)) == seconds)
        }
    }

    @Test(arguments: [
        "", "0", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 gmt",
        "Mon, 06 Nov 1994 08:49:37 GMT", "sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994  08:49:37 GM", "Sun,  6 Nov 1994 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT ",
        "Sun, 06-Nov-1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
        "Sun, 06 Nov 1994 08:49:60 GMT", "Sun, 06 Nov 1994 08.49.37 GMT", "Fri, 30 Feb 2024 00:00:00 GMT",
        "Wed, 29 Feb 2023 00:00:00 GMT", "Wed, 31 Dec 1969 23:59:59 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994", "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GM\u{E9}",
        "Sun, 06 Nov +994 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT ",
    ])
    func `any other text is rejected`(text: String) {
        #expect(IMFFixdate.epochSeconds(text) == nil)
    }
}
