import Glibc
import Testing

@testable import HTTPServer

struct IPAddressTests {
    /// The address of a peer whose socket is bound to this address.
    private func peer(_ text: String) throws -> IPAddress? {
        try SocketAddress(text).withSockaddr { pointer, length in
            var storage = sockaddr_storage()
            withUnsafeMutableBytes(of: &storage) {
                $0.copyMemory(from: UnsafeRawBufferPointer(start: pointer, count: min(Int(length), $0.count)))
            }
            return IPAddress(storage)
        }
    }

    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1"), ("255.0.1.2:1", "255.0.1.2"), ("[::1]:9", "::1"),
        ("[2001:DB8::a:0]:1", "2001:db8::a:0"),
        ("[::ffff:1.2.3.4]:1", "1.2.3.4"), ("[::]:1", "::"),
    ])
    func `a peer is written without its port`(address: String, written: String) throws {
        #expect(try peer(address)?.description == written)
    }

    @Test func `a mapped IPv4 address equals the plain one`() throws {
        let (mapped, plain) = try (peer("[::ffff:1.2.3.4]:1"), peer("1.2.3.4:2"))
        let (loopback6, loopback4) = try (peer("[::1]:1"), peer("127.0.0.1:1"))
        #expect(mapped == plain)
        #expect(loopback6 != loopback4)
    }

    @Test func `a unix socket's peer has no address`() throws {
        #expect(try peer("unix:/a") == nil)
    }

    @Test(arguments: [
        ("1.2.3.4:1", "1.2.3.4:9", true), ("1.2.3.4:1", "1.2.3.5:1", false),
        ("[2001:db8::1]:1", "[2001:db8::ffff:2]:1", true), ("[2001:db8::1]:1", "[2001:db8:0:1::1]:1", false),
        ("[::1]:1", "0.0.0.0:1", false),
    ])
    func `a subscriber is an IPv4 address or an IPv6 /64`(first: String, second: String, isSame: Bool) throws {
        let (first, second) = try (peer(first), peer(second))
        #expect((first?.subscriber == second?.subscriber) == isSame)
    }

    @Test(arguments: [
        ("1.2.3.4", "1.2.3.4"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"), ("::", "::"),
        ("2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
        ("::ffff:1.2.3.4", "1.2.3.4"), ("::FFFF:102:304", "1.2.3.4"), ("64:ff9b::1.2.3.4", "64:ff9b::102:304"),
        ("1111:2222:3333:4444:5555:6666:123.123.123.123", "1111:2222:3333:4444:5555:6666:7b7b:7b7b"),
    ])
    func `an address is read in any notation and written canonically`(text: String, written: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.description == written)
        #expect(IPAddress(written) == address)
        #expect(address.isIPv4 == !written.contains(":"))
    }

    @Test(arguments: [
        "", " ", "1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.4 ", " 1.2.3.4", "1.2.3.4\0", "0x1.2.3.4",
        "1.2.3.-4", "localhost", "[::1]", ":::", "1::2::3", "fe80::1%eth0", "fe80::1%1", "::1/128", "12345::", "::g",
        "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "::1.2.3", "::ffff:1.2.3.4.5", "１.2.3.4", "é",
        String(repeating: "0", count: 46), String(repeating: ":", count: 10_000),
    ])
    func `an invalid address is not read`(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test func `only four or sixteen bytes make an address`() {
        for count in 0...20 {
            let bytes = [UInt8](repeating: 1, count: count)
            #expect((IPAddress(bytes.span) != nil) == [4, 16].contains(count))
        }
        #expect(IPAddress([1, 2, 3, 4].span) == IPAddress("1.2.3.4"))
        #expect(IPAddress(([0x20, 1] + [UInt8](repeating: 0, count: 13) + [9]).span) == IPAddress("2001::9"))
        #expect(
            IPAddress(([UInt8](repeating: 0, count: 10) + [255, 255, 1, 2, 3, 4]).span) == IPAddress("1.2.3.4"))
    }
}
