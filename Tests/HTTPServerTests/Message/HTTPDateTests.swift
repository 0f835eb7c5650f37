import Glibc
import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// IMF-fixdate (RFC 9110 section 5.6.7), against the C library.
struct HTTPDateTests {
    private func reference(_ epochSeconds: Int64) -> String {
        var seconds = time_t(epochSeconds)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 64)
        let count = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func rendered(_ epochSeconds: Int64) -> String {
        String(decoding: HTTPDate.render(epochSeconds), as: UTF8.self)
    }

    @Test(arguments: [
        (Int64(0), "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"),
        (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"), (2_147_483_648, "Tue, 19 Jan 2038 03:14:08 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
    ])
    func `a known time is rendered as its known date`(epochSeconds: Int64, date: String) {
        #expect(rendered(epochSeconds) == date)
    }

    @Test func `random times up to the year 9999 match the C library`() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<10_000 {
            let moment = Int64.random(in: 0...253_402_300_799, using: &generator)
            #expect(rendered(moment) == reference(moment))
            #expect(HTTPDate.render(moment).count == HTTPDate.length)
        }
    }

    @Test func `a date follows the clock, forwards and back`() {
        let date = HTTPDate()
        for moment in [Int64(100), 100, 101, 50] {
            date.update(to: moment)
            let text = String(decoding: HTTPDate.render(moment), as: UTF8.self)
            #expect(String(decoding: date.fields, as: UTF8.self) == "Date: \(text)\r\nX-Request-ID: ")
            #expect(date.okHead == Array("HTTP/1.1 200 OK\r\n".utf8) + date.fields)
        }
    }
}
