import Testing

@testable import HTTPServer

struct PlainBeginningTests {
    private func beginning(_ bytes: [UInt8]) -> PlainBeginning { PlainBeginning(bytes.span) }

    @Test func `only token characters can start a request; a TLS record cannot`() {
        let token = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-.^_`|~".utf8)
        for byte in UInt8.min...UInt8.max {
            #expect(beginning([byte]) == (token.contains(byte) ? .incomplete : .unknown))
            #expect(beginning([byte, 0x20]) == (token.contains(byte) ? .request : .unknown))
            #expect(beginning([UInt8(ascii: "G"), byte]) == beginning([byte]) || byte == 0x20)
        }
        #expect(beginning([0x16]) == .unknown)
    }

    @Test(arguments: ["GET / HTTP/1.1\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "VERSION-CONTROL * HTTP/1.1\r\n"])
    func `a request is recognised at the space after its method`(text: String) throws {
        let bytes = Array(text.utf8)
        let space = try #require(bytes.firstIndex(of: 0x20))
        for count in 0...space { #expect(beginning(Array(bytes[..<count])) == .incomplete) }
        for count in (space + 1)...bytes.count { #expect(beginning(Array(bytes[..<count])) == .request) }
    }

    @Test func `an overlong method without a space is not recognised`() {
        let method = [UInt8](repeating: UInt8(ascii: "x"), count: PlainBeginning.maxLength)
        #expect(beginning(Array(method.dropLast())) == .incomplete && beginning(method.dropLast() + [0x20]) == .request)
        #expect(beginning(method) == .unknown)
    }
}
