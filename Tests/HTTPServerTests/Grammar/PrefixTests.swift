import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// A request that arrives in pieces.
struct PrefixTests {
    static let requests = [
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "\r\nGET /token?tripID=abc%2Fd HTTP/1.1\r\nHost: [::1]:8080\r\nAccept: */*\r\nX-Empty:\r\n\r\n",
        "HEAD http://a.example/x?y HTTP/1.1\r\nhost: a.example\r\nConnection: close\r\n\r\n",
        "GET https://a HTTP/1.1\r\nhost: a\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
        "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n",
        "CONNECT http:443 HTTP/1.1\r\nHost: http:443\r\n\r\n",
        "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n",
        "POST /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\tchunked \r\n\r\n",
        "DELETE / HTTP/1.0\r\n\r\n",
    ]

    @Test(arguments: requests)
    func `a request is complete at its last byte and not before`(text: String) throws {
        let whole = Array(text.utf8)
        for count in 0..<whole.count {
            #expect(parse(Array(whole[..<count])) == .incomplete, "\(count) bytes")
        }
        let head = try #require(parse(whole).head)
        #expect(head.length == whole.count)
        #expect(parse(whole + Array("GET \0garbage".utf8)) == .request(head))
    }

    @Test(arguments: requests)
    func `a control character anywhere in a request is rejected`(text: String) {
        let whole = Array(text.utf8)
        for position in whole.indices {
            for byte: UInt8 in [0x00, 0x01, 0x0b, 0x1f, 0x7f] {
                var bytes = whole
                bytes[position] = byte
                #expect(parse(bytes).rejection?.status == .badRequest, "\(byte) at \(position)")
            }
        }
    }

    @Test(arguments: requests)
    func `a request with a bare CR or LF is never accepted`(text: String) {
        let whole = Array(text.utf8)
        for position in whole.indices {
            for byte in [UInt8(ascii: "\r"), UInt8(ascii: "\n")] where whole[position] != byte {
                var bytes = whole
                bytes[position] = byte
                #expect(!parse(bytes).isRequest, "\(byte) at \(position)")
            }
        }
    }

    @Test(arguments: requests)
    func `a rejected prefix stays rejected for the same reason`(text: String) {
        let whole = Array(text.utf8)
        for position in whole.indices {
            for byte in UInt8.min...UInt8.max where byte != whole[position] {
                var bytes = whole
                bytes[position] = byte
                guard let reason = parse(Array(bytes[...position])).rejection else { continue }
                if parse(bytes) != .rejection(reason) { Issue.record("\(byte) at \(position) of \(text)") }
            }
        }
    }
}
