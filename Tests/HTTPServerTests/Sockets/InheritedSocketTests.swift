import Glibc
import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// Listening sockets that another process has bound.
struct InheritedSocketTests {
    /// A socket of this kind, bound to an unused port or path; the caller closes it.
    private func bound(_ address: String, listening: Bool = true, kind: __socket_type = SOCK_STREAM) throws -> Int32 {
        let address = try SocketAddress(address)
        let number = socket(address.family, Int32(kind.rawValue), 0)
        try #require(number >= 0)
        try #require(address.withSockaddr { bind(number, $0, $1) } == 0)
        if listening { try #require(listen(number, 16) == 0) }
        return number
    }

    @Test(arguments: ["127.0.0.1:0", "[::1]:0"])
    func `an inherited socket knows its address and becomes nonblocking and close-on-exec`(text: String) throws {
        let number = try bound(text)
        defer { close(number) }
        let socket = try InheritedSocket(descriptor: number)
        #expect(try socket.address == SocketAddress.bound(to: number))
        #expect(!socket.address.description.hasSuffix(":0"))
        #expect(fcntl(number, F_GETFD) == FD_CLOEXEC)
        #expect(fcntl(number, F_GETFL) & O_NONBLOCK != 0)
    }

    @Test func `a unix socket is named by its path or abstract name`() throws {
        let path = TestPath()
        for text in ["unix:\(path.path)", "unix:@token-provider-test-\(getpid())"] {
            let number = try bound(text)
            defer { close(number) }
            #expect(try InheritedSocket(descriptor: number).address.description == text)
        }
    }

    @Test func `a descriptor that cannot be listened on is refused with errno`() throws {
        var pipes: [Int32] = [-1, -1]
        pipe(&pipes)
        let idle = try bound("127.0.0.1:0", listening: false)
        let datagrams = try bound("127.0.0.1:0", listening: false, kind: SOCK_DGRAM)
        defer { for number in pipes + [idle, datagrams] { close(number) } }
        for (number, code) in [(pipes[0], ENOTSOCK), (idle, EINVAL), (datagrams, EINVAL), (1_000_000, EBADF)] {
            let error = #expect(throws: InheritedSocketError.self) { try InheritedSocket(descriptor: number) }
            #expect(error == InheritedSocketError(descriptor: number, code: code))
        }
    }

    @Test(arguments: [1, 3])
    func `clients that connect between two servers are served by the next`(loops: Int) throws {
        // The descriptor that the service manager keeps open.
        let kept = try bound("127.0.0.1:0")
        defer { close(kept) }
        for _ in 0..<3 {
            let server = try TestServer(inheriting: dup(kept)) { $0.loops = loops }
            let clients = try (0..<20).map { _ in try server.connect() }
            for client in clients { #expect(try client.get("/now").status == 200) }
            server.server.drain()
            for client in clients {
                client.shutdownWriting()
                _ = try client.remainder()
            }
            #expect(server.isStopped())
            let waiting = try TestClient(server.address)
            let next = try TestServer(inheriting: dup(kept)) { $0.loops = loops }
            #expect(try waiting.get("/now").status == 200)
            next.server.stop()
            #expect(next.isStopped())
        }
    }

    @Test func `a server with inherited and own sockets serves and drains`() throws {
        let kept = try bound("127.0.0.1:0")
        defer { close(kept) }
        let server = try TestServer(inheriting: dup(kept), "127.0.0.1:0")
        #expect(server.server.addresses.count == 2)
        let own = try TestClient(server.server.addresses[1])
        #expect(try own.get("/now").status == 200)
        server.server.drain()
        own.shutdownWriting()
        _ = try own.remainder()
        #expect(server.isStopped())
    }
}
