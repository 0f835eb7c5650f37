import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// Connections from a proxy that announces its client's address.
struct ProxyProtocolTests {
    private static let request = Array("GET /peer HTTP/1.1\r\nHost: a\r\n\r\n".utf8)

    private func server(
        _ listening: String = "127.0.0.1:0", from ranges: [String] = ["127.0.0.1"],
        configure: (inout ServerSettings) -> Void = { _ in }
    ) throws -> TestServer {
        let ranges = try ranges.map { try AddressRange($0) }
        return try TestServer(listening) {
            $0.proxyProtocolFrom = ranges
            configure(&$0)
        }
    }

    @Test(arguments: [
        (ProxyHeaderBytes(), "198.51.100.9"), (.ipv6, "2001:db8::1"), (.local, "127.0.0.1"),
        (ProxyHeaderBytes(family: 0, addresses: []), "127.0.0.1"),
        (ProxyHeaderBytes(family: 0x31, addresses: .init(repeating: 0, count: 216)), "127.0.0.1"),
        (ProxyHeaderBytes(extensions: [1, 0, 2, 0x68, 0x32]), "198.51.100.9"),
    ])
    func `the announced source becomes the peer, however the bytes are cut`(
        header: ProxyHeaderBytes, expected: String
    ) throws {
        let server = try server()
        let (together, apart, slow) = try (server.connect(), server.connect(), server.connect())
        try together.send(header.bytes + Self.request + Self.request)
        #expect(try together.answer().body == expected)
        #expect(try together.answer().body == expected)
        #expect(try together.get("/peer").body == expected)
        try apart.send(header.bytes)
        #expect(try apart.get("/peer").body == expected)
        for byte in header.bytes + Self.request { try slow.send([byte]) }
        #expect(try slow.answer().body == expected)
    }

    @Test func `a line of version 1 announces the peer, however it is cut`() throws {
        let server = try server()
        let line = Array("PROXY TCP4 198.51.100.9 203.0.113.1 56324 443\r\n".utf8)
        let (together, slow) = try (server.connect(), server.connect())
        try together.send(line + Self.request)
        #expect(try together.answer().body == "198.51.100.9")
        for byte in line + Self.request { try slow.send([byte]) }
        #expect(try slow.answer().body == "198.51.100.9")
    }

    @Test func `a PROXY header from an unlisted peer is a malformed request`() throws {
        let server = try server(from: ["127.0.0.2", "10.0.0.0/8"])
        let client = try server.connect()
        try client.send(ProxyHeaderBytes().bytes + Self.request)
        let answer = try client.answer()
        #expect(answer.status == 400)
        #expect(answer.closes)
        #expect(try server.connect().get("/peer").body == "127.0.0.1")
        let proxy = try TestClient(server.address, from: try SocketAddress("127.0.0.2:0"))
        try proxy.send(ProxyHeaderBytes().bytes + Self.request)
        #expect(try proxy.answer().body == "198.51.100.9")
    }

    @Test func `a peer on a unix socket sends no PROXY header`() throws {
        let path = TestPath()
        let server = try server("unix:\(path.path)", from: ["0.0.0.0/0", "::/0"])
        #expect(try server.connect().get("/peer").body == "none")
    }

    @Test(arguments: [
        Array("GET /peer HTTP/1.1\r\nHost: a\r\n\r\n".utf8), Array("PROXY TCP5 1.1.1.1 2.2.2.2 1 2\r\n".utf8),
        ProxyHeaderBytes(command: 0x11).bytes, ProxyHeaderBytes(command: 0x22).bytes,
        ProxyHeaderBytes(family: 0x13).bytes, ProxyHeaderBytes(addresses: [1, 2, 3]).bytes,
        ProxyHeaderBytes(announcedLength: 2033).bytes, ProxyHeaderBytes(announcedLength: 65_535).bytes,
    ])
    func `a listed peer without a valid header gets no answer`(bytes: [UInt8]) throws {
        let server = try server()
        let client = try server.connect()
        try client.send(bytes)
        #expect(try client.remainder().bytes.isEmpty)
        #expect(server.records.all.isEmpty)
    }

    @Test func `a malformed request after a header is answered with 400`() throws {
        let server = try server()
        let client = try server.connect()
        try client.send(ProxyHeaderBytes().bytes + ProxyHeaderBytes().bytes)
        #expect(try client.answer().status == 400)
    }

    @Test(arguments: [0, 1, 12, 20])
    func `a header that misses its deadline closes the connection without an answer`(sent: Int) throws {
        let server = try server { $0.timeouts.head = .milliseconds(150) }
        let client = try server.connect()
        try client.send(Array(ProxyHeaderBytes().bytes[..<sent]))
        #expect(try client.isEndedSilently())
        #expect(server.records.all.isEmpty)
        #expect(server.server.statistics.count(of: .proxyHeaderRefused) == (sent == 0 ? 0 : 1))
    }

    @Test func `a proxy that half-closes within its header is closed silently`() throws {
        let server = try server()
        let client = try server.connect()
        try client.send(ProxyHeaderBytes.signature)
        client.shutdownWriting()
        #expect(try client.isEndedSilently())
        #expect(server.server.statistics.count(of: .proxyHeaderRefused) == 1)
    }

    @Test func `a drain closes the connection of a silent proxy`() throws {
        let server = try server { $0.timeouts.drainIdle = .milliseconds(150) }
        let silent = try server.connect()
        server.server.drain()
        #expect(try silent.isEndedSilently())
        #expect(server.isStopped())
    }

    @Test func `connections are limited by announced address, not by proxy address`() throws {
        let server = try server { $0.maxConnectionsPerAddress = 1 }
        var other = ProxyHeaderBytes()
        other.addresses[3] = 10
        let held = try (0..<20).map { number in
            let client = try server.connect()
            var header = ProxyHeaderBytes()
            header.addresses[3] = UInt8(100 + number)
            try client.send(header.bytes)
            #expect(try client.get("/now").status == 200)
            return client
        }
        let first = try server.connect()
        try first.send(ProxyHeaderBytes().bytes + Self.request)
        #expect(try first.answer().status == 200)
        // Connections in the reserve are answered 503, and the oldest of them is evicted for the next.
        let reserve = try (0..<4).map { _ in
            let client = try server.connect()
            try client.send(ProxyHeaderBytes().bytes + Self.request)
            #expect(try client.answer().status == 503)
            return client
        }
        let silent = try (0..<4).map { _ in
            let client = try server.connect()
            try client.send(ProxyHeaderBytes().bytes)
            return client
        }
        for client in reserve { #expect(try client.isEndedSilently()) }
        let next = try server.connect()
        try next.send(ProxyHeaderBytes().bytes + Self.request)
        #expect(try next.answer().status == 503)
        #expect(try silent[0].isEndedSilently())
        #expect(server.records.notices == [.connectionsRefused])
        let fresh = try server.connect()
        try fresh.send(other.bytes + Self.request)
        #expect(try fresh.answer().body == "198.51.100.10")
        #expect(held.count + reserve.count == 24)
    }

    @Test func `a place is free again after an announced connection ends`() throws {
        let server = try server { $0.maxConnectionsPerAddress = 1 }
        for _ in 0..<50 {
            let isServed = try (0..<10_000).contains { _ in
                let client = try server.connect()
                try client.send(ProxyHeaderBytes().bytes + Self.request)
                return (try? client.answer().status) == 200
            }
            #expect(isServed)
        }
    }
}
