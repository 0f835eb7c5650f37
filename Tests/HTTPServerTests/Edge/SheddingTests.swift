import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// A server whose clients hold more than it has memory for.
struct SheddingTests {
    /// So much that a hundred connections are half of it.
    private static let total = 200 * MemoryFootprint.connection
    /// Any address may hold all of it.
    private static let limits = MemoryLimits(total: total, perAddress: total)

    /// A server on which no connection is spared for being new.
    private func server(_ limits: MemoryLimits = limits) throws -> TestServer {
        try TestServer {
            $0.memory = limits
            $0.timeouts.grace = 0
        }
    }

    private func connect(_ server: TestServer, from host: Int, receiveBuffer: Int32? = nil) throws -> TestClient {
        try TestClient(
            server.address, from: try SocketAddress("127.0.0.\(host):0"), receiveBuffer: receiveBuffer)
    }

    private func count(_ event: ServerEvent, of server: TestServer) -> UInt64 {
        server.server.statistics.count(of: event)
    }

    @Test func `silent connections are closed before those that have asked`() throws {
        let server = try server()
        let honest = try (0..<20).map { try connect(server, from: 2 + $0) }
        for client in honest { #expect(try client.get("/now").status == 200) }
        let silent = try (0..<300).map { try connect(server, from: 30 + $0 % 100) }
        #expect(try silent[0].isEndedSilently())
        for client in honest { #expect(try client.get("/now").status == 200) }
        #expect(try connect(server, from: 200).get("/now").status == 200)
        #expect(count(.silentConnectionShed, of: server) > 100)
        #expect(count(.idleConnectionShed, of: server) == 0)
        #expect(server.server.clientMemory.used < server.server.clientMemory.limit)
        #expect(server.records.notices.contains { if case .memoryPressed = $0 { true } else { false } })
    }

    @Test(arguments: ["GET /now HTTP/1.1\r\nX", "GET"])
    func `connections within a request's headers are closed as silent ones`(text: String) throws {
        let server = try server()
        let partial = try (0..<300).map { number in
            let client = try connect(server, from: 30 + number % 100)
            try? client.send(text)
            return client
        }
        #expect(try partial[0].remainder().bytes.isEmpty)
        #expect(try connect(server, from: 2).get("/now").status == 200)
        #expect(count(.silentConnectionShed, of: server) > 50)
    }

    @Test func `the oldest idle connections are closed first`() throws {
        let server = try server()
        let clients = try (0..<90).map { number in
            let client = try connect(server, from: 2 + number)
            #expect(try client.get("/now").status == 200)
            return client
        }
        // A third of them fit.
        var settings = ServerSettings()
        settings.memory = MemoryLimits(total: 40 * MemoryFootprint.connection)
        settings.timeouts.grace = 0
        server.server.take(settings)
        for client in clients[..<60] { #expect(try client.isEndedSilently()) }
        #expect(try clients[89].get("/now").status == 200)
        #expect(count(.idleConnectionShed, of: server) > 50)
    }

    @Test func `connections that were just opened are spared`() throws {
        let server = try TestServer {
            $0.memory = Self.limits
            $0.timeouts.grace = .max / 2
        }
        let silent = try (0..<180).map { try connect(server, from: 30 + $0 % 100) }
        for client in silent { #expect(try client.get("/now").status == 200) }
        #expect(server.records.notices.contains { if case .memoryPressed = $0 { true } else { false } })
    }

    @Test func `idle connections of the address with most go first`() throws {
        let server = try server()
        let honest = try connect(server, from: 2)
        #expect(try honest.get("/now").status == 200)
        let greedy = try (0..<80).map { number in
            let client = try connect(server, from: 30 + number % 4)
            #expect(try client.get("/now").status == 200)
            return client
        }
        // Most of them fit.
        var settings = ServerSettings()
        settings.memory = MemoryLimits(total: Self.total / 2, perAddress: Self.total / 2)
        settings.timeouts.grace = 0
        server.server.take(settings)
        #expect(try greedy[0].isEndedSilently())
        #expect(count(.connectionOverShare, of: server) > 0)
        #expect(try honest.get("/now").status == 200)
    }

    @Test func `one address cannot use more than half of it`() throws {
        let server = try server(MemoryLimits(total: Self.total))
        let honest = try connect(server, from: 2)
        #expect(try honest.get("/now").status == 200)
        for _ in 0..<300 { _ = try? connect(server, from: 3).get("/now") }
        let greedy = try (0..<300).map { _ in try connect(server, from: 3) }
        #expect(try honest.get("/now").status == 200)
        #expect(try connect(server, from: 4).get("/now").status == 200)
        #expect(try greedy[0].isEndedSilently())
        #expect(count(.connectionOverShare, of: server) > 0)
    }

    @Test func `clients that do not read are closed before new ones are refused`() throws {
        let server = try TestServer { $0.memory = MemoryLimits(total: 4 << 20) }
        let requests = String(repeating: "GET /large HTTP/1.1\r\nHost: a\r\n\r\n", count: 3)
        let deaf = try (0..<40).map { number in
            let client = try connect(server, from: 30 + number, receiveBuffer: 2048)
            try client.send(requests)
            return client
        }
        for number in 0..<20 { #expect(try connect(server, from: 2 + number).get("/now").status == 200) }
        #expect(count(.stalledConnectionShed, of: server) > 0)
        #expect(count(.connectionRefused, of: server) == 0)
        // The kernel keeps nothing for them either.
        #expect(try deaf[0].remainder().ending == .reset)
    }

    @Test func `where nothing can be closed new connections get 503`() throws {
        // Each is charged for what its client can make the kernel hold meanwhile: 40,960 bytes.
        let server = try TestServer {
            $0.memory = MemoryLimits(total: 1_240_000)
            // A slow client's connection does not end before its request comes.
            $0.timeouts.grace = .max / 2
        }
        var (waiting, promises): ([TestClient], [Promise]) = ([], [])
        for number in 0..<30 {
            let client = try connect(server, from: 30 + number)
            try client.send("GET /late HTTP/1.1\r\nHost: a\r\n\r\n")
            promises.append(try #require(server.promises.next()))
            waiting.append(client)
        }
        let refused = try connect(server, from: 2).get("/now")
        #expect(refused.status == 503)
        #expect(refused.closes)
        for promise in promises { promise.keep("done") }
        for client in waiting { #expect(try client.answer().body == "done") }
        #expect(count(.connectionRefused, of: server) > 0)
        #expect(try connect(server, from: 3).get("/now").status == 200)
    }

    @Test func `connections that wait for us go where their address holds too much`() throws {
        let server = try TestServer { $0.memory = MemoryLimits(total: 1_240_000) }
        let greedy = try (0..<30).map { _ in
            let client = try connect(server, from: 3)
            try client.send("GET /late HTTP/1.1\r\nHost: a\r\n\r\n")
            return client
        }
        for number in 0..<20 { #expect(try connect(server, from: 30 + number).get("/now").status == 200) }
        // Which of them go is chance, as many may have come at once.
        withExtendedLifetime(greedy) { #expect(count(.connectionOverShare, of: server) > 0) }
        #expect(count(.connectionRefused, of: server) == 0)
    }

    @Test func `the last places go to clients that ask`() throws {
        // So many that places are kept free.
        let server = try TestServer { $0.maxConnections = 2560 }
        let silent = try (0..<2700).map { try connect(server, from: 30 + $0 % 100) }
        for number in 0..<20 { #expect(try connect(server, from: 2 + number).get("/now").status == 200) }
        #expect(try silent[0].isEndedSilently())
    }

    @Test func `the last places of an address go to its clients that ask`() throws {
        let server = try TestServer { $0.maxConnectionsPerAddress = 1024 }
        let idle = try connect(server, from: 3)
        #expect(try idle.get("/now").status == 200)
        let silent = try (0..<1024).map { _ in try connect(server, from: 3) }
        for _ in 0..<20 { #expect(try connect(server, from: 3).get("/now").status == 200) }
        #expect(try silent[0].isEndedSilently())
        #expect(try idle.get("/now").status == 200)
        #expect(count(.connectionBeyondLimit, of: server) == 0)
    }

    @Test func `while the last places are taken those with most get none`() throws {
        let server = try TestServer { $0.maxConnections = 2560 }
        let greedy = try (0..<2700).map { try connect(server, from: 30 + $0 % 8) }
        for number in 0..<20 { #expect(try connect(server, from: 2 + number).get("/now").status == 200) }
        #expect(count(.connectionBeyondLimit, of: server) > 0)
        #expect(count(.connectionRefused, of: server) == 0)
        _ = greedy
    }

    @Test func `memory of closed connections can be used again`() throws {
        let server = try server()
        for _ in 0..<5 {
            do {
                let clients = try (0..<90).map { try connect(server, from: 2 + $0) }
                for client in clients { #expect(try client.get("/work").status == 200) }
            }
            // The server may learn of their ends later.
            let isEventuallyFree = (0..<10_000).contains { _ in
                _ = try? connect(server, from: 2).get("/now")
                return server.server.clientMemory.used <= 2 * MemoryFootprint.connection
            }
            #expect(isEventuallyFree)
        }
    }
}
