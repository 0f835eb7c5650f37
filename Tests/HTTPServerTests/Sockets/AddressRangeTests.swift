import Testing

@testable import HTTPServer

struct AddressRangeTests {
    @Test(arguments: [
        ("10.0.0.0/8", ["10.0.0.0", "10.255.255.255", "::ffff:10.1.2.3"], ["9.255.255.255", "11.0.0.0", "::a00:1"]),
        ("192.0.2.128/25", ["192.0.2.128", "192.0.2.255"], ["192.0.2.127", "192.0.3.128"]),
        ("192.0.2.7", ["192.0.2.7"], ["192.0.2.6", "192.0.2.8"]),
        ("192.0.2.7/32", ["192.0.2.7"], ["192.0.2.6"]),
        ("0.0.0.0/0", ["0.0.0.0", "255.255.255.255"], ["::", "2001:db8::1"]),
        ("::/0", ["::", "ffff::1", "::fffe:ffff:ffff"], ["1.2.3.4", "::ffff:1.2.3.4"]),
        ("2001:db8::/32", ["2001:db8::", "2001:db8:ffff::1"], ["2001:db9::", "2001:db7::", "32.1.13.184"]),
        ("2001:db8::/65", ["2001:db8::7fff:ffff:ffff:ffff"], ["2001:db8::8000:0:0:0"]),
        ("2001:db8::/64", ["2001:db8::ffff:ffff:ffff:ffff"], ["2001:db8:0:1::"]),
        ("::1", ["::1"], ["::2", "::", "0.0.0.1"]),
        ("::ffff:10.0.0.0/104", ["10.9.9.9"], ["11.0.0.0", "::ffff"]),
        ("::ffff:0:0/96", ["10.9.9.9"], ["::1"]),
    ])
    func `a range contains exactly the addresses that share its prefix`(
        text: String, inside: [String], outside: [String]
    ) throws {
        let range = try AddressRange(text)
        for address in inside { #expect(range.contains(try #require(IPAddress(address))), "\(address)") }
        for address in outside { #expect(!range.contains(try #require(IPAddress(address))), "\(address)") }
        #expect(try AddressRange(range.description) == range)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.0.0.0/8"), ("192.0.2.7", "192.0.2.7/32"), ("2001:DB8:0:0::/32", "2001:db8::/32"),
        ("::1", "::1/128"), ("::ffff:10.0.0.0/104", "10.0.0.0/8"), ("::/0", "::/0"),
    ])
    func `a range is written in canonical form`(text: String, written: String) throws {
        #expect(try AddressRange(text).description == written)
    }

    @Test(arguments: [
        ("0.0.0.0/0", true), ("::/0", true), ("::ffff:0:0/96", true), ("0.0.0.0/1", false), ("::/1", false),
        ("0.0.0.0", false), ("::/96", false), ("::ffff:0:0/97", false),
    ])
    func `only a zero-length prefix holds every address of its family`(text: String, holdsAll: Bool) throws {
        #expect(try AddressRange(text).holdsAll == holdsAll)
    }

    @Test(arguments: [
        ("", AddressRangeError.notAddress), ("/8", .notAddress), ("10.0.0/8", .notAddress),
        ("localhost", .notAddress), ("[::1]/128", .notAddress), ("10.0.0.0:80", .notAddress),
        ("10.0.0.0/", .badPrefix(most: 32)), ("10.0.0.0/33", .badPrefix(most: 32)),
        ("10.0.0.0/08", .badPrefix(most: 32)), ("10.0.0.0/+8", .badPrefix(most: 32)),
        ("10.0.0.0/-1", .badPrefix(most: 32)), ("10.0.0.0/8/8", .badPrefix(most: 32)),
        ("10.0.0.0/ 8", .badPrefix(most: 32)), ("10.0.0.0/255.0.0.0", .badPrefix(most: 32)),
        ("10.0.0.0/99999999999999999999", .badPrefix(most: 32)), ("2001:db8::/129", .badPrefix(most: 128)),
        ("10.0.0.1/8", .bitsBeyondPrefix(expected: "10.0.0.0/8")),
        ("192.0.2.129/25", .bitsBeyondPrefix(expected: "192.0.2.128/25")),
        ("1.2.3.4/0", .bitsBeyondPrefix(expected: "0.0.0.0/0")),
        ("2001:db8::1/64", .bitsBeyondPrefix(expected: "2001:db8::/64")),
        ("::ffff:10.0.0.0/8", .bitsBeyondPrefix(expected: "::/8")),
    ])
    func `an invalid range is refused with the reason`(text: String, reason: AddressRangeError) {
        #expect(throws: reason) { try AddressRange(text) }
        #expect(!reason.problem.isEmpty)
    }

    @Test func `every prefix holds its first and last address, not their neighbours`() throws {
        for prefix in 1...32 {
            let size = UInt64(1) << UInt64(32 - prefix)
            let first: UInt64 = 0xc000_0200 / size * size
            let address = { (number: UInt64) in IPAddress(ipv4: UInt32(truncatingIfNeeded: number)) }
            let range = try AddressRange("\(address(first))/\(prefix)")
            #expect(range.contains(address(first)) && range.contains(address(first + size - 1)))
            #expect(!range.contains(address(first + size)))
            #expect(!range.contains(address(first &- 1)))
        }
    }
}
