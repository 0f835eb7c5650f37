import Glibc
import Testing

@testable import HTTPServer

/// A listener that takes no further connection.
struct ListeningSocketTests {
    /// Begins to connect and does not wait; whether the handshake is done. On a loopback address it is done when
    /// connect(2) returns, if the listener's side answers.
    private func connects(to listener: ListeningSocket) throws -> Bool {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue)
        let client = Descriptor(takingOwnershipOf: socket(listener.address.family, kind, 0))
        let number = client.number
        let result = listener.address.withSockaddr { connect(number, $0, $1) }
        try #require(result == 0 || errno == EINPROGRESS)
        var wanted = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        return poll(&wanted, 1, 0) == 1
    }

    private func accepted(by listener: ListeningSocket) throws -> Descriptor {
        while true {
            if let (number, _) = try listener.accept() { return Descriptor(takingOwnershipOf: number) }
        }
    }

    /// The next byte that arrives within 10 s; nil if none does.
    private func nextByte(from connection: borrowing Descriptor) -> UInt8? {
        var readable = pollfd(fd: connection.number, events: Int16(POLLIN), revents: 0)
        var byte: UInt8 = 0
        guard poll(&readable, 1, 10_000) == 1, recv(connection.number, &byte, 1, 0) == 1 else { return nil }
        return byte
    }

    @Test(arguments: ["127.0.0.1:0", "[::1]:0"])
    func `a listener that refuses connections drops SYNs`(address: String) throws {
        let listener = try ListeningSocket.open(SocketAddress(address))
        #expect(try connects(to: listener))
        listener.refuseNewConnections()
        #expect(try !connects(to: listener))
    }

    @Test(arguments: ["127.0.0.1:0", "[::1]:0"])
    func `a handshake that began before the refusal gives a usable connection`(address: String) throws {
        let listener = try ListeningSocket.open(SocketAddress(address))
        // The kernel ends the handshake with the client's first byte (tcp(7)).
        try listener.descriptor.setOption(Int32(IPPROTO_TCP), TCP_DEFER_ACCEPT, 30)
        let client = try TestClient(listener.address)
        listener.refuseNewConnections()
        #expect(try listener.accept() == nil)
        try client.send("a")
        let connection = try accepted(by: listener)
        try client.send("b")
        for byte in "ab".utf8 { #expect(nextByte(from: connection) == byte) }
    }
}
