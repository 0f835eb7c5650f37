import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

struct ProxyHeaderTests {
    private func parse(_ bytes: [UInt8]) -> ProxyHeader.Result { ProxyHeader.parse(bytes.span) }

    private func source(_ header: ProxyHeaderBytes) -> String? {
        guard case .header(let header) = parse(header.bytes) else { return "no header" }
        return header.source?.description
    }

    @Test(arguments: [(UInt8(0x11), "198.51.100.9"), (0x12, "198.51.100.9")])
    func `an IPv4 source is read for TCP and for UDP`(family: UInt8, expected: String) {
        #expect(source(ProxyHeaderBytes(family: family)) == expected)
    }

    @Test func `an IPv6 source is read, and a mapped one becomes IPv4`() {
        #expect(source(.ipv6) == "2001:db8::1")
        var mapped = ProxyHeaderBytes.ipv6
        mapped.family = 0x22
        mapped.addresses.replaceSubrange(0..<16, with: [UInt8](repeating: 0, count: 10) + [255, 255, 1, 2, 3, 4])
        #expect(source(mapped) == "1.2.3.4")
    }

    @Test func `local, unspecified and unix connections announce no address`() {
        #expect(source(.local) == nil)
        #expect(source(ProxyHeaderBytes(command: 0x20)) == nil)
        #expect(source(ProxyHeaderBytes(command: 0x20, family: 0xff, addresses: [1, 2, 3])) == nil)
        #expect(source(ProxyHeaderBytes(family: 0x00, addresses: [])) == nil)
        #expect(source(ProxyHeaderBytes(family: 0x31, addresses: [UInt8](repeating: 0x2f, count: 216))) == nil)
    }

    @Test(arguments: [ProxyHeaderBytes(), .ipv6, .local, ProxyHeaderBytes(extensions: [4, 0, 3, 1, 2, 3])])
    func `a header is complete at its last byte and not before`(header: ProxyHeaderBytes) {
        let bytes = header.bytes
        for count in 0..<bytes.count { #expect(parse(Array(bytes[..<count])) == .incomplete) }
        let whole = parse(bytes)
        #expect(parse(bytes + Array("GET / HTTP/1.1\r\n".utf8)) == whole)
        guard case .header(let found) = whole else {
            Issue.record("expected a header")
            return
        }
        #expect(found.length == bytes.count)
    }

    @Test func `each byte of the signature is required`() {
        for index in 0..<12 {
            for byte in UInt8.min ... .max where byte != ProxyHeaderBytes.signature[index] {
                var bytes = ProxyHeaderBytes().bytes
                bytes[index] = byte
                #expect(parse(bytes) == .malformed)
                let beginsLine = index == 0 && byte == UInt8(ascii: "P")
                #expect(parse(Array(bytes[...index])) == (beginsLine ? .incomplete : .malformed))
            }
        }
        #expect(parse(Array("GET / HTTP/1.1\r\n\r\n".utf8)) == .malformed)
    }

    @Test(arguments: [
        ("TCP4 198.51.100.9 203.0.113.1 56324 443", "198.51.100.9"), ("TCP6 2001:db8::1 ::1 1 65535", "2001:db8::1"),
        ("TCP6 ::ffff:1.2.3.4 ::1 0 0", "1.2.3.4"), ("TCP4 0.0.0.0 0.0.0.0 0 0", "0.0.0.0"), ("TCP6 :: :: 0 0", "::"),
        ("UNKNOWN", nil), ("UNKNOWN ffff:f...f:ffff ffff:f...f:ffff 65535 65535", nil),
    ])
    func `a line of version 1 announces its source, whole and not before`(line: String, expected: String?) throws {
        let bytes = Array("PROXY \(line)\r\n".utf8)
        for count in 0..<bytes.count { #expect(parse(Array(bytes[..<count])) == .incomplete) }
        let header = ProxyHeader.Result.header(
            ProxyHeader(source: expected.flatMap { IPAddress($0) }, length: bytes.count))
        #expect(parse(bytes) == header)
        #expect(parse(bytes + Array("GET / HTTP/1.1\r\n".utf8)) == header)
        // Read as missing bytes allow, the end is met exactly.
        var read = 0
        while read < bytes.count { read += ProxyHeader.missingBytes(behind: Array(bytes[..<read]).span) }
        #expect(read == bytes.count)
    }

    @Test(arguments: [
        "TCP4 198.51.100.9 203.0.113.1 56324", "TCP4 198.51.100.9 203.0.113.1 56324 443 1", "TCP4 ::1 ::1 1 1",
        "TCP6 198.51.100.9 203.0.113.1 1 1", "TCP4 198.51.100.256 203.0.113.1 1 1", "TCP4 1.2.3.4 1.2.3.4 65536 1",
        "TCP4 2001:db8::1.2.3.4 1.2.3.4 1 1", "TCP4 ::ffff:1.2.3.4 1.2.3.4 1 1", "TCP4 1.2.3.4 1.2.3.4 01 1",
        "TCP4 1.2.3.4 1.2.3.4 +1 1", "TCP4  1.2.3.4 1.2.3.4 1 1", "TCP4 1.2.3.4 1.2.3.4 1 ", "tcp4 1.2.3.4 1.2.3.4 1 1",
        "UDP4 1.2.3.4 1.2.3.4 1 1", "", "UNKNOWN \(String(repeating: "x", count: 100))",
    ])
    func `a malformed line of version 1 is refused`(line: String) {
        #expect(parse(Array("PROXY \(line)\r\n".utf8)) == .malformed)
        #expect(parse(Array("PROXY \(line)\n".utf8)) != .header(ProxyHeader(length: line.utf8.count + 7)))
    }

    @Test func `only the two commands and seven families of version 2 parse`() {
        for command in UInt8.min ... .max {
            let isKnown = command == 0x20 || command == 0x21
            #expect((parse(ProxyHeaderBytes(command: command).bytes) == .malformed) == !isKnown)
        }
        let addresses = [UInt8](repeating: 1, count: 216)
        for family in UInt8.min ... .max {
            let isKnown = [0x00, 0x11, 0x12, 0x21, 0x22, 0x31, 0x32].contains(family)
            #expect((parse(ProxyHeaderBytes(family: family, addresses: addresses).bytes) == .malformed) == !isKnown)
        }
    }

    @Test(arguments: [(UInt8(0x11), 12), (0x12, 12), (0x21, 36), (0x22, 36), (0x31, 216), (0x32, 216)])
    func `addresses too short for their family are malformed`(family: UInt8, length: Int) {
        for count in 0..<length {
            let header = ProxyHeaderBytes(family: family, addresses: [UInt8](repeating: 1, count: count))
            #expect(parse(header.bytes) == .malformed)
        }
        #expect(
            parse(ProxyHeaderBytes(family: family, addresses: .init(repeating: 1, count: length)).bytes) != .malformed)
    }

    @Test func `a header that announces more than the maximum length is malformed`() {
        let most = ProxyHeader.maxLength - 16
        let fits = ProxyHeaderBytes(extensions: [UInt8](repeating: 0, count: most - 12))
        #expect(source(fits) == "198.51.100.9")
        for command: UInt8 in [0x20, 0x21] {
            #expect(parse(ProxyHeaderBytes(command: command, announcedLength: most).bytes) == .incomplete)
            #expect(parse(ProxyHeaderBytes(command: command, announcedLength: most + 1).bytes) == .malformed)
            #expect(parse(ProxyHeaderBytes(command: command, announcedLength: 65_535).bytes) == .malformed)
        }
    }
}
