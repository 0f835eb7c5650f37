import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// Connections beyond the limits, and connections that are reset.
struct ConnectionLimitTests {
    private func isServed(_ server: TestServer, from: String? = nil) -> Bool {
        let client = try? TestClient(server.address, from: from.flatMap { try? SocketAddress($0) })
        return (try? client?.get("/now").status) == 200
    }

    /// Whether a new connection is eventually served.
    private func isEventuallyServed(_ server: TestServer) -> Bool {
        (0..<10_000).contains { _ in isServed(server) }
    }

    @Test func `a connection over the limit gets 503 until another one closes`() throws {
        let server = try TestServer { $0.maxConnections = 2 }
        let first = try server.connect()
        #expect(try first.get("/now").status == 200)
        do {
            let second = try server.connect()
            #expect(try second.get("/now").status == 200)
            let third = try server.connect()
            let answer = try third.get("/now")
            #expect(answer.status == 503)
            #expect(answer.body == "too_many_connections")
            #expect(answer.closes)
            third.shutdownWriting()
            #expect(try third.isEndedSilently())
            #expect(try second.get("/now").status == 200)
            #expect(server.records.all.contains { $0.status == .serviceUnavailable })
        }
        #expect(isEventuallyServed(server))
        #expect(try first.get("/now").status == 200)
    }

    @Test func `an exempt request is answered beyond the limit, once per connection`() throws {
        let server = try TestServer { $0.maxConnections = 1 }
        let first = try server.connect()
        #expect(try first.get("/now").status == 200)
        for _ in 0..<100 {
            let probe = try server.connect()
            let answer = try probe.get("/exempt")
            #expect(answer.status == 200)
            #expect(answer.closes)
        }
    }

    @Test(arguments: [(total: 10, perAddress: 2048, silent: 80), (total: 16_384, perAddress: 2, silent: 6)])
    func `exempt requests evict the oldest idle connections from a full reserve`(
        limit: (total: Int, perAddress: Int, silent: Int)
    ) throws {
        let server = try TestServer {
            $0.maxConnections = limit.total
            $0.maxConnectionsPerAddress = limit.perAddress
        }
        let admitted = try (0..<min(limit.total, limit.perAddress)).map { _ in try server.connect() }
        for client in admitted { #expect(try client.get("/now").status == 200) }
        let silent = try (0..<limit.silent).map { _ in try server.connect() }
        for _ in 0..<20 { #expect(try server.connect().get("/exempt").status == 200) }
        #expect(try server.connect().get("/now").status == 503)
        #expect(try silent[0].isEndedSilently())
        #expect(server.records.notices.first == .connectionsRefused)
        for client in admitted { #expect(try client.get("/now").status == 200) }
    }

    @Test func `an evicted connection is closed only after its request is answered`() throws {
        let server = try TestServer { $0.maxConnectionsPerAddress = 1 }
        let admitted = try server.connect()
        try admitted.send("GET /gate HTTP/1.1\r\nHost: a\r\n\r\n")
        try #require(server.gate.hasArrival())
        // All of these are accepted in one turn of the loop, and each evicts the fourth before it.
        let clients = try (0..<40).map { _ in
            let client = try server.connect()
            try client.send("GET /exempt HTTP/1.1\r\nHost: a\r\n\r\n")
            return client
        }
        server.gate.letOnePass()
        for client in clients {
            #expect(try client.answer().status == 200)
            #expect(try client.isEndedSilently())
        }
        #expect(server.records.notices.isEmpty)
    }

    @Test(arguments: ["", "GET /exempt HTTP/1.1\r\n"])
    func `a slow connection beyond the limit is closed`(text: String) throws {
        let server = try TestServer {
            $0.maxConnections = 1
            $0.timeouts.overLimit = .milliseconds(200)
        }
        let first = try server.connect()
        #expect(try first.get("/now").status == 200)
        let slow = try server.connect()
        try slow.send(text)
        if !text.isEmpty { #expect(try slow.answer().body == "too_many_connections") }
        #expect(try slow.isEndedSilently())
        #expect(try first.get("/now").status == 200)
    }

    @Test func `each address has its own connection limit`() throws {
        let server = try TestServer { $0.maxConnectionsPerAddress = 1 }
        let first = try server.connect()
        #expect(try first.get("/now").status == 200)
        #expect(try server.connect().get("/now").status == 503)
        #expect(isServed(server, from: "127.0.0.2:0"))
        #expect(try first.get("/now").status == 200)
    }

    @Test(arguments: [
        "", "GET /now HTT", "GET /now HTTP/1.1\r\nHost: a\r\n\r\n", "GET /large HTTP/1.1\r\nHost: a\r\n\r\n",
    ])
    func `connections that peers reset are released, whatever the peers sent`(text: String) throws {
        let server = try TestServer { $0.maxConnections = 3 }
        for _ in 0..<60 {
            let client = try server.connect()
            // A connection over the limit may already be closed.
            try? client.send(text)
            client.resetOnClose()
        }
        let areAllServed = (0..<10_000).contains { _ in
            let clients = (0..<3).map { _ in try? server.connect() }
            return clients.allSatisfy { (try? $0?.get("/now").status) == 200 }
        }
        #expect(areAllServed)
    }

    @Test func `a reset while work is pending does not affect other clients`() throws {
        let server = try TestServer()
        do {
            let client = try server.connect()
            try client.send("GET /gate/1 HTTP/1.1\r\nHost: a\r\n\r\n")
            try #require(server.gate.hasArrival())
            client.resetOnClose()
        }
        let other = try server.connect()
        try other.send("GET /gate/2 HTTP/1.1\r\nHost: a\r\n\r\n")
        server.gate.letOnePass()
        server.gate.letOnePass()
        #expect(try other.answer().body == "/gate/2")
    }

    @Test func `random bytes are refused and the server keeps running`() throws {
        let server = try TestServer()
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<300 {
            let client = try server.connect()
            let count = Int.random(in: 1...300, using: &generator)
            try client.send((0..<count).map { _ in .random(in: .min ... .max, using: &generator) })
            client.shutdownWriting()
            let (bytes, ending) = try client.remainder()
            #expect(ending == .end)
            #expect(bytes.isEmpty || (TestAnswer(bytes, toHead: false)?.status ?? 0) >= 400)
        }
        #expect(try server.connect().get("/now").status == 200)
    }
}
