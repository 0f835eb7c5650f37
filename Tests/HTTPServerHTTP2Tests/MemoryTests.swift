import CNGHTTP2
import Testing

@testable import HTTPServer
@testable import HTTPServerHTTP2
@testable import HTTPServerSupport

/// What sessions hold, and what they give up.
struct MemoryTests {
    /// What a connection of HTTP/1.1 counts while its answer is pending.
    private static let pending = 40_960

    /// A server, and so many connections that wait for answers, each a thirty-second of the memory that it has.
    private func server(waiting: Int) throws -> (TestServer, [TestClient]) {
        let server = try TestServer.http2 { $0.memory = MemoryLimits(total: 32 * Self.pending) }
        return (server, try (0..<waiting).map { try wait(at: server, from: 2 + $0) })
    }

    private func wait(at server: TestServer, from host: Int) throws -> TestClient {
        let client = try TestClient(server.address, from: try SocketAddress("127.0.0.\(host):0"))
        try client.send("GET /late HTTP/1.1\r\nHost: a\r\n\r\n")
        return client
    }

    @Test func `new streams are refused while memory is short`() throws {
        let (server, _) = try server(waiting: 0)
        let client = try FrameClient(server)
        try client.send(.request(1, "/late"))
        let first = try #require(server.promises.next())
        let others = try (0..<27).map { try wait(at: server, from: 2 + $0) }
        let promises = try others.map { _ in try #require(server.promises.next()) }
        let refused = try client.get(3, "/now")
        #expect(refused.resetCode == ErrorCode.refusedStream.rawValue)
        #expect(refused.fields.isEmpty)
        first.keep("first")
        #expect(try client.answer(1).body == "first")
        for promise in promises { promise.keep("other") }
        for other in others { #expect(try other.answer().body == "other") }
        #expect(try client.get(5, "/now").body == "/now")
        #expect(server.server.statistics.count(of: .streamRefused) == 1)
        #expect(server.server.statistics.count(of: .clientRefused) == 0)
    }

    @Test func `an idle session ends with GOAWAY`() throws {
        let server = try TestServer.http2 {
            $0.memory = MemoryLimits(total: 32 * Self.pending)
            $0.timeouts.grace = 0
        }
        let client = try FrameClient(server)
        #expect(try client.get(1, "/now").body == "/now")
        let others = try (0..<18).map { try wait(at: server, from: 2 + $0) }
        let promises = try others.map { _ in try #require(server.promises.next()) }
        var settings = ServerSettings()
        settings.memory = MemoryLimits(total: promises.count * Self.pending / 25 * 32)
        server.server.take(settings)
        let farewell = try #require(try client.farewell())
        #expect(farewell.code == ErrorCode.none.rawValue)
        #expect(farewell.lastStream == 1)
        for promise in promises { promise.keep("late") }
        for other in others { #expect(try other.answer().body == "late") }
        #expect(server.server.statistics.count(of: .sessionShed) == 1)
    }

    @Test func `an answer behind a closed window is charged until its stream ends`() throws {
        let server = try TestServer.http2()
        let client = try FrameClient(server)
        try client.send(.window(0, 1 << 30), .request(1, "/large"), .request(3, "/now"))
        // A session is charged after its answers are sent, and so before its next request is read.
        #expect(try client.answer(3).body == "/now")
        #expect(try client.get(5, "/now").body == "/now")
        #expect(server.server.clientMemory.used > TestServer.largeBody.count)
        try client.send(.reset(1))
        for stream in [7, 9] as [UInt32] { #expect(try client.get(stream, "/now").body == "/now") }
        #expect(server.server.clientMemory.used < 1 << 20)
    }

    @Test func `a stalled stream ends although another waits for its answer`() throws {
        let server = try TestServer.http2 {
            $0.memory = MemoryLimits(total: TestServer.largeBody.count / 30 * 32)
            $0.timeouts.grace = 0
        }
        let client = try FrameClient(server)
        // Nothing of an answer may come but of the first.
        try client.send(.settings([(4, 0)]), .request(1, "/late"), .window(1, 1000))
        let promise = try #require(server.promises.next())
        try client.send(.request(3, "/large"))
        #expect(try client.answer(3).resetCode == ErrorCode.cancel.rawValue)
        promise.keep("late")
        #expect(try client.answer(1).body == "late")
        #expect(server.server.statistics.count(of: .stalledConnectionShed) == 1)
    }

    @Test func `the session with the oldest stalled stream goes first`() throws {
        let most = 8 * TestServer.largeBody.count
        let server = try TestServer.http2 {
            $0.memory = MemoryLimits(total: most, perAddress: most)
            $0.timeouts.grace = 0
        }
        let clients = try (0..<2).map { _ in
            let client = try FrameClient(server)
            try client.send(.window(0, 1 << 30), .request(1, "/large"))
            #expect(try client.get(3, "/now").body == "/now")
            return client
        }
        // What else it asks does not make its stream younger.
        #expect(try clients[0].get(5, "/now").body == "/now")
        var settings = ServerSettings()
        settings.memory = MemoryLimits(total: most / 4, perAddress: .max)
        settings.timeouts.grace = 0
        server.server.take(settings)
        #expect(throws: (any Error).self) {
            for stream in stride(from: 7 as UInt32, to: 1000, by: 2) { _ = try clients[0].get(stream, "/now") }
        }
        #expect(server.server.statistics.count(of: .stalledConnectionShed) == 1)
        #expect(try clients[1].get(5, "/now").body == "/now")
    }

    @Test(arguments: [(4 << 30, 100), (128 << 20, 100), (32 << 20, 25), (1 << 20, 8)])
    func `concurrent streams follow from the memory`(total: Int, streams: Int) {
        #expect(HTTP2Footprint.streams(within: MemoryLimits(total: total), atMost: 100) == streams)
        #expect(HTTP2Footprint.streams(within: MemoryLimits(total: total), atMost: 5) == 5)
    }

    // MARK: The library's memory

    @Test func `allocated bytes count until they are freed`() throws {
        let session = SessionMemory(from: LibraryMemory())
        let functions = session.functions
        let sizes = [1, 32, 33, 500, 5000, 100_000, 100_000]
        let blocks = sizes.map { functions.malloc($0, functions.mem_user_data) }
        #expect(session.bytes >= sizes.dropLast().reduce(0, +) - 100_000)
        for block in blocks { functions.free(block, functions.mem_user_data) }
        #expect(session.bytes == 0)
    }

    @Test(arguments: [10, 5000, 20_000])
    func `a block that grows keeps its contents`(size: Int) throws {
        let session = SessionMemory(from: LibraryMemory())
        let functions = session.functions
        let block = try #require(functions.calloc(size, 1, functions.mem_user_data))
        memset(block, 7, size)
        let bigger = try #require(functions.realloc(block, 3 * size, functions.mem_user_data))
        #expect(UnsafeRawBufferPointer(start: bigger, count: size).allSatisfy { $0 == 7 })
        functions.free(bigger, functions.mem_user_data)
        #expect(session.bytes == 0)
    }

    @Test(arguments: [UInt8(0), 7])
    func `a table keeps its contents when an idle session is trimmed`(byte: UInt8) throws {
        let session = SessionMemory(from: LibraryMemory())
        let functions = session.functions
        let frame = try #require(functions.malloc(16_394, functions.mem_user_data))
        let table = try #require(functions.calloc(256, 16, functions.mem_user_data))
        #expect(UnsafeRawBufferPointer(start: table, count: 4096).allSatisfy { $0 == 0 })
        table.storeBytes(of: byte, toByteOffset: 1000, as: UInt8.self)
        session.trim()
        #expect(table.load(fromByteOffset: 1000, as: UInt8.self) == byte)
        memset(frame, 1, 16_394)
        functions.free(frame, functions.mem_user_data)
        functions.free(table, functions.mem_user_data)
        #expect(session.bytes == 0)
    }

    @Test func `a trimmed session answers its next request`() throws {
        let server = try TestServer.http2()
        let client = try FrameClient(server)
        #expect(try client.get(1, "/now/1").body == "/now/1")
        // By the time that another connection is served, the session is charged.
        let other = try server.connect()
        #expect(try other.get("/now").status == 200)
        let before = server.server.clientMemory.used
        while server.server.clientMemory.used >= before { #expect(try other.get("/now").status == 200) }
        #expect(try client.get(3, "/now/3").body == "/now/3")
        #expect(try client.get(5, "/work/5").body == "/work/5")
    }
}
