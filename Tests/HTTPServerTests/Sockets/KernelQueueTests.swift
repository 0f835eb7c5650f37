import Glibc
import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// What the kernel holds for connections whose peers do not read, or are not read from.
struct KernelQueueTests {
    /// Offers bytes until the kernel takes no more, and has its peer do the same.
    private func fill(_ descriptor: borrowing Descriptor, _ client: TestClient) throws {
        let bytes = [UInt8](repeating: 0, count: 10_000)
        while try bytes.withUnsafeBytes({ try descriptor.send($0) }) != nil {}
        while client.sendWithoutWaiting(bytes) > 0 {}
    }

    /// Bytes of the kernel's memory that both queues take (socket(7): SO_MEMINFO).
    private func queued(_ descriptor: borrowing Descriptor) -> (sent: UInt32, received: UInt32) {
        let (optionMemory, receiveQueue, sendQueue): (Int32, Int, Int) = (55, 0, 5)
        var values = [UInt32](repeating: 0, count: 16)
        var size = socklen_t(values.count * MemoryLayout<UInt32>.size)
        getsockopt(descriptor.number, SOL_SOCKET, optionMemory, &values, &size)
        return (values[sendQueue], values[receiveQueue])
    }

    @Test(arguments: ["127.0.0.1:0", "[::1]:0"])
    func `the kernel holds at most 64 kB for a silent reader`(address: String) throws {
        let listener = try ListeningSocket.open(SocketAddress(address))
        let client = try TestClient(listener.address, receiveBuffer: 2048)
        let descriptor = try listener.accepted()
        try fill(descriptor, client)
        let queued = queued(descriptor)
        #expect(queued.sent > 8192 && queued.received > 8192)
        #expect(queued.sent + queued.received <= 65_536)
    }

    @Test func `the bounds hold for an inherited listening socket`() throws {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        let bound = try SocketAddress("127.0.0.1:0").withSockaddr { bind(number, $0, $1) }
        try #require(bound == 0 && listen(number, 8) == 0)
        let inherited = try InheritedSocket(descriptor: number)
        let listener = try ListeningSocket.first(on: inherited.address, among: [inherited], .plain, ServerSettings())
        let client = try TestClient(listener.address, receiveBuffer: 2048)
        let descriptor = try listener.accepted()
        try fill(descriptor, client)
        #expect(queued(descriptor).sent + queued(descriptor).received <= 65_536)
    }

    @Test func `the kernel takes less than 64 kB for an unread unix socket`() throws {
        let path = TestPath()
        let listener = try ListeningSocket.open(SocketAddress("unix:\(path.path)"))
        let client = try TestClient(listener.address)
        let descriptor = try listener.accepted()
        let bytes = [UInt8](repeating: 0, count: 1000)
        var taken = 0
        while let count = try bytes.withUnsafeBytes({ try descriptor.send($0) }) { taken += count }
        #expect(taken > 8192 && taken <= 65_536)
        _ = client
    }

    @Test func `a client that pipelines and never reads is answered no further`() throws {
        let server = try TestServer()
        let client = try TestClient(server.address, receiveBuffer: 2048)
        let path = "/now/" + String(repeating: "x", count: 900)
        let requests = Array(String(repeating: "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n", count: 300).utf8)
        // Its own queue is full as well once nothing more is taken from it.
        while client.sendWithoutWaiting(requests) > 0 {}
        #expect(try server.connect().get("/now").status == 200)
        #expect(server.records.all.count * path.utf8.count < 3 * 65_536)
    }
}
