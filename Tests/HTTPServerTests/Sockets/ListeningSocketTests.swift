import Glibc
import TestSupport
import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// A listener that takes no further connection.
struct ListeningSocketTests {
    private static let ways: [[ListeningSocket.SYNDrop]] = [[.filter, .distance], [.distance]]

    /// Begins to connect.
    private func client(of listener: ListeningSocket) throws -> Descriptor {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue)
        let client = Descriptor(takingOwnershipOf: socket(listener.address.family, kind, 0))
        let number = client.number
        let result = listener.address.withSockaddr { connect(number, $0, $1) }
        try #require(result == 0 || errno == EINPROGRESS)
        return client
    }

    /// The next byte that arrives within 10 s; nil if none does.
    private func nextByte(from connection: borrowing Descriptor) -> UInt8? {
        var byte: UInt8 = 0
        guard isReady(connection.number, POLLIN, within: Patience.milliseconds),
            recv(connection.number, &byte, 1, 0) == 1
        else {
            return nil
        }
        return byte
    }

    @Test(arguments: ["127.0.0.1:0", "[::1]:0"], Self.ways)
    func `a listener that refuses connections drops SYNs`(address: String, ways: [ListeningSocket.SYNDrop]) throws {
        let listener = try ListeningSocket.open(SocketAddress(address))
        let early = try client(of: listener)
        #expect(isReady(early.number, POLLOUT, within: Patience.milliseconds))
        listener.refuseNewConnections(by: ways)
        let late = try client(of: listener)
        // Its SYN came before that of a client of another listener.
        let other = try ListeningSocket.open(SocketAddress(address))
        let control = try client(of: other)
        #expect(isReady(control.number, POLLOUT, within: Patience.milliseconds))
        #expect(!isReady(late.number, POLLOUT, within: 0))
    }

    @Test(arguments: ["127.0.0.1:0", "[::1]:0"], Self.ways)
    func `a handshake that began before the refusal gives a usable connection`(
        address: String, ways: [ListeningSocket.SYNDrop]
    ) throws {
        let listener = try ListeningSocket.open(SocketAddress(address))
        // The kernel ends the handshake with the client's first byte (tcp(7)).
        try listener.descriptor.setOption(Int32(IPPROTO_TCP), TCP_DEFER_ACCEPT, 30)
        let client = try TestClient(listener.address)
        listener.refuseNewConnections(by: ways)
        #expect(try listener.accept() == nil)
        try client.send("a")
        let connection = try listener.accepted()
        try client.send("b")
        for byte in "ab".utf8 { #expect(nextByte(from: connection) == byte) }
    }
}
