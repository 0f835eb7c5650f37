import HTTPServer
import Testing

struct RequestIDTests {
    @Test(
        arguments: [
            (0, "0000000000000000"), (1, "0000000000000001"), (0xf, "000000000000000f"),
            (0x0123_4567_89ab_cdef, "0123456789abcdef"), (0xfedc_ba98_7654_3210, "fedcba9876543210"),
            (.max, "ffffffffffffffff"), (1 << 63, "8000000000000000"),
        ] as [(UInt64, String)])
    func `a request's id is sixteen hexadecimal digits`(requestID: UInt64, text: String) {
        #expect(HTTPRequest.text(ofID: requestID) == text)
        #expect(UInt64(text, radix: 16) == requestID)
    }
}
