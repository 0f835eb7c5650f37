import Glibc
import Testing

@testable import HTTPServer

struct PeerAddressTests {
    /// The peer that a socket at this address would have.
    private func peer(_ text: String) throws -> PeerAddress? {
        try SocketAddress(text).withSockaddr { pointer, length in
            var storage = sockaddr_storage()
            withUnsafeMutableBytes(of: &storage) {
                $0.copyMemory(from: UnsafeRawBufferPointer(start: pointer, count: min(Int(length), $0.count)))
            }
            return PeerAddress(storage)
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

    @Test func `a mapped IPv4 address is the IPv4 address`() throws {
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
}
