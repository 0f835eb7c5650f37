import Testing

@testable import HTTPServer

@Suite struct SocketAddressTests {
    @Test(arguments: [
        ("127.0.0.1:8080", SocketAddress.ipv4(0x7F00_0001, port: 8080)),
        ("0.0.0.0:0", .ipv4(0, port: 0)),
        ("255.254.253.252:65535", .ipv4(0xFFFE_FDFC, port: 65535)),
        ("localhost:80", .ipv4(0x7F00_0001, port: 80)),
        ("[::1]:8080", .ipv6("::1", port: 8080)),
        ("[::]:0", .ipv6("::", port: 0)),
        ("[2001:db8::8:800:200c:417a]:443", .ipv6("2001:db8::8:800:200c:417a", port: 443)),
        ("[::ffff:127.0.0.1]:1", .ipv6("::ffff:127.0.0.1", port: 1)),
        ("unix:/run/token.sock", .unix("/run/token.sock")),
        ("unix:token.sock", .unix("token.sock")),
    ])
    func `an address is read in every form`(text: String, expected: SocketAddress) throws {
        #expect(try SocketAddress(text) == expected)
    }

    @Test(arguments: [
        ("", "has no port"),
        ("127.0.0.1", "has no port"),
        ("8080", "has no port"),
        (":8080", "does not begin with an IPv4 address (host names are not looked up)"),
        ("*:8080", "does not begin with an IPv4 address (host names are not looked up)"),
        ("example.com:8080", "does not begin with an IPv4 address (host names are not looked up)"),
        ("LOCALHOST:8080", "does not begin with an IPv4 address (host names are not looked up)"),
        ("127.0.0.01:8080", "does not begin with an IPv4 address (host names are not looked up)"),
        (" 127.0.0.1:8080", "does not begin with an IPv4 address (host names are not looked up)"),
        ("127.0.0.1:", "does not end with a port from 0 to 65535"),
        ("127.0.0.1:65536", "does not end with a port from 0 to 65535"),
        ("127.0.0.1:080", "does not end with a port from 0 to 65535"),
        ("127.0.0.1:+80", "does not end with a port from 0 to 65535"),
        ("127.0.0.1:８０", "does not end with a port from 0 to 65535"),
        ("127.0.0.1:80 ", "does not end with a port from 0 to 65535"),
        ("::1:8080", "is ambiguous; expected the IPv6 address in brackets"),
        ("http://127.0.0.1:80", "is ambiguous; expected the IPv6 address in brackets"),
        ("[::1]", "is ambiguous; expected the IPv6 address in brackets"),
        ("[localhost]:80", "does not hold an IPv6 address in its brackets"),
        ("[127.0.0.1]:80", "does not hold an IPv6 address in its brackets"),
        ("[fe80::1%eth0]:80", "does not hold an IPv6 address in its brackets"),
        ("[]:80", "does not hold an IPv6 address in its brackets"),
        ("[::1]:x", "does not end with a port from 0 to 65535"),
        ("unix:", "has no path"),
        ("unix:a\nb", "has a control character in its path"),
        ("unix:a\0b", "has a control character in its path"),
    ])
    func `an invalid address is refused with the reason`(text: String, reason: String) {
        let error = #expect(throws: SocketAddressError.self) { try SocketAddress(text) }
        #expect(error?.problem == reason)
    }

    @Test func `the path of a unix socket has at most 107 bytes`() throws {
        let longest = "/" + String(repeating: "é", count: 53)
        #expect(try SocketAddress("unix:\(longest)") == .unix(longest))
        let error = #expect(throws: SocketAddressError.self) { try SocketAddress("unix:\(longest)x") }
        #expect(error?.problem == "has a path of 108 bytes, more than the 107 of a unix socket")
    }

    @Test(arguments: [
        ("[2001:0DB8:0:0:1:0:0:1]:1", "[2001:db8::1:0:0:1]:1"),
        ("[2001:db8:0:1:1:1:1:1]:1", "[2001:db8:0:1:1:1:1:1]:1"),
        ("[1:0:0:2:0:0:0:3]:1", "[1:0:0:2::3]:1"),
        ("[0:0:0:0:0:0:0:0]:1", "[::]:1"),
        ("[1:0:0:0:0:0:0:0]:1", "[1::]:1"),
        ("localhost:1", "127.0.0.1:1"),
        ("unix:a", "unix:a"),
    ])
    func `an address is written in canonical form and reads back`(text: String, canonical: String) throws {
        let address = try SocketAddress(text)
        #expect(address.description == canonical)
        #expect(try SocketAddress(canonical) == address)
    }

    @Test(
        arguments: [
            ("[::ffff:127.0.0.1]:8080", "127.0.0.1:8080"), ("[::FFFF:a00:1]:1", "10.0.0.1:1"),
            ("[::ffff:0:0]:0", "0.0.0.0:0"), ("[::1]:1", nil), ("[::fffe:a00:1]:1", nil), ("[::]:1", nil),
            ("127.0.0.1:1", nil), ("unix:a", nil),
        ] as [(String, String?)])
    func `an IPv4-mapped IPv6 address reports its IPv4 form`(text: String, own: String?) throws {
        #expect(try SocketAddress(text).mapped?.description == own)
    }

    @Test(arguments: [
        ("127.0.0.1:1", true), ("127.255.0.9:1", true), ("[::1]:1", true), ("[::ffff:127.0.0.1]:1", true),
        ("unix:/run/x", true), ("0.0.0.0:1", false), ("128.0.0.1:1", false), ("10.0.0.1:1", false), ("[::]:1", false),
        ("[::ffff:10.0.0.1]:1", false), ("[fe80::1]:1", false), ("[::2]:1", false), ("[1::ffff:7f00:1]:1", false),
    ])
    func `only addresses that other machines cannot reach are loopback`(text: String, expected: Bool) throws {
        #expect(try SocketAddress(text).isLoopback == expected)
    }
}
