import Glibc
import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// Addresses that a server can listen on.
struct ListeningTests {
    private static let hasIPv6: Bool = {
        guard let address = try? SocketAddress("[::1]:0") else { return false }
        return (try? ListeningSocket.open(address)) != nil
    }()

    @Test(arguments: [1, 2, 4])
    func `several loops serve connections to one port`(loops: Int) throws {
        let server = try TestServer { $0.loops = loops }
        let clients = try (0..<40).map { _ in try server.connect() }
        for client in clients { #expect(try client.get("/now").status == 200) }
        #expect(server.server.addresses.count == 1)
        #expect(server.address.description.hasSuffix(":0") == false)
    }

    @Test(.enabled(if: hasIPv6))
    func `a server listens on IPv6`() throws {
        let server = try TestServer("[::1]:0")
        #expect(server.address.description.hasPrefix("[::1]:"))
        #expect(try server.connect().get("/now").body == "/now")
    }

    @Test func `a server listens on several addresses`() throws {
        let path = TestPath()
        let server = try TestServer("127.0.0.1:0", "127.0.0.1:0", "unix:\(path.path)") { $0.loops = 2 }
        #expect(server.server.addresses.count == 3)
        for address in server.server.addresses {
            for _ in 0..<10 { #expect(try TestClient(address).get("/now").status == 200) }
        }
    }

    @Test(arguments: [1, 3])
    func `a server removes its unix socket when it drains`(loops: Int) throws {
        let path = TestPath()
        let server = try TestServer("unix:\(path.path)") { $0.loops = loops }
        let clients = try (0..<20).map { _ in try server.connect() }
        for client in clients { #expect(try client.get("/work").body == "/work") }
        server.server.drain()
        for client in clients {
            client.shutdownWriting()
            _ = try client.remainder()
        }
        #expect(server.isStopped())
        #expect(!path.exists)
    }

    @Test func `a unix socket that a dead process left is replaced`() throws {
        let path = TestPath()
        do {
            let server = try TestServer("unix:\(path.path)")
            server.server.stop()
            #expect(server.isStopped())
        }
        #expect(path.exists)
        let server = try TestServer("unix:\(path.path)")
        #expect(try server.connect().get("/now").status == 200)
    }

    @Test func `a unix socket in use is not replaced`() throws {
        let path = TestPath()
        let first = try TestServer("unix:\(path.path)")
        let error = #expect(throws: SystemError.self) { try TestServer("unix:\(path.path)") }
        #expect(error?.code == EADDRINUSE && error?.family == AF_UNIX)
        #expect(error?.description.contains(path.path) == true)
        #expect(try first.connect().get("/now").status == 200)
    }

    @Test func `a file that is not a socket is not replaced`() throws {
        let path = TestPath()
        let number = open(path.path, O_CREAT | O_WRONLY, 0o600)
        try #require(number >= 0)
        #expect(write(number, "precious", 8) == 8)
        close(number)
        #expect(throws: SystemError.self) { try TestServer("unix:\(path.path)") }
        var status = stat()
        #expect(stat(path.path, &status) == 0)
        #expect(status.st_size == 8)
    }

    @Test(arguments: ["unix:/nowhere/at/all.sock", "192.0.2.1:0"])
    func `an address that cannot be bound is named in the error`(text: String) throws {
        let error = #expect(throws: SystemError.self) { try TestServer(text) }
        #expect(error?.description.hasPrefix("listen on \(text): ") == true)
    }

    @Test func `a port in use by another socket is refused`() throws {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(number) }
        let address = try SocketAddress("127.0.0.1:0")
        #expect(address.withSockaddr { bind(number, $0, $1) } == 0)
        #expect(listen(number, 1) == 0)
        let taken = try SocketAddress.bound(to: number)
        let error = #expect(throws: SystemError.self) { try TestServer(taken.description) }
        #expect(error?.code == EADDRINUSE && error?.family == AF_INET)
    }
}
