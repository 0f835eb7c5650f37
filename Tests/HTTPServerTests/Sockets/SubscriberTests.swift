import HTTPServer
import Testing

/// Loopback addresses, and the bytes that identify a subscriber.
struct SubscriberTests {
    @Test(arguments: [
        ("127.0.0.1", true), ("127.0.0.0", true), ("127.255.255.255", true), ("::1", true), ("::ffff:127.0.0.1", true),
        ("126.255.255.255", false), ("128.0.0.0", false), ("0.0.0.0", false), ("1.2.3.127", false), ("::", false),
        ("::2", false), ("1::1", false), ("::7f00:1", false), ("64:ff9b::127.0.0.1", false), ("fe80::1", false),
    ])
    func `loopback is 127.0.0.0/8 in IPv4 and one address in IPv6`(text: String, isLoopback: Bool) {
        #expect(IPAddress(text)?.isLoopback == isLoopback)
    }

    @Test(
        arguments: [
            ("1.2.3.4", [1, 2, 3, 4]), ("::ffff:1.2.3.4", [1, 2, 3, 4]), ("255.0.255.0", [255, 0, 255, 0]),
            ("2001:db8:0:7:1:2:3:4", [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 7]), ("::1", [0, 0, 0, 0, 0, 0, 0, 0]),
            ("ff00:1::", [0xff, 0, 0, 1, 0, 0, 0, 0]),
        ] as [(String, [UInt8])])
    func `a subscriber has four bytes for IPv4, eight for IPv6`(text: String, bytes: [UInt8]) throws {
        let address = try #require(IPAddress(text))
        let seen = address.withSubscriberBytes { span in span.withUnsafeBytes { Array($0) } }
        #expect(seen == bytes)
        #expect(address.subscriber.withSubscriberBytes { span in span.withUnsafeBytes { Array($0) } } == bytes)
    }
}
