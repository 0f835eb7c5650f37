import Testing

@testable import HTTP2Client

/// Which connection takes a request, and when another is opened, without sockets.
struct ConnectionPoolTests {
    private static let second: Nanoseconds = 1_000_000_000

    private func pool(connections: Int = 3, streams: Int = 2) -> ConnectionPool {
        ConnectionPool(ConnectionPool.Limits(connections: connections, streams: streams))
    }

    /// The connection that is opened, which must be one.
    private func open(_ pool: inout ConnectionPool, forWaiting waiting: Int) throws -> Int {
        let id = pool.open(forWaiting: waiting, at: 0)
        return try #require(id)
    }

    /// A pool with one open connection.
    private func opened(connections: Int = 3, streams: Int = 2) throws -> (pool: ConnectionPool, id: Int) {
        var pool = pool(connections: connections, streams: streams)
        let id = try open(&pool, forWaiting: 1)
        pool.allow(100, on: id, at: 0)
        return (pool, id)
    }

    @Test func `nothing is opened while nothing waits`() {
        var pool = pool()
        #expect(pool.open(forWaiting: 0, at: 0) == nil)
        #expect(pool.take() == nil)
    }

    @Test func `only one connection is opened before one is accepted`() {
        var pool = pool()
        #expect(pool.open(forWaiting: 9, at: 0) == 0)
        #expect(pool.open(forWaiting: 9, at: 0) == nil)
        #expect(pool.take() == nil)
        pool.allow(2, on: 0, at: 0)
        #expect(pool.open(forWaiting: 9, at: 0) == 1)
        #expect(pool.open(forWaiting: 9, at: 0) == 2)
        #expect(pool.open(forWaiting: 9, at: 0) == nil)
    }

    @Test func `another connection is opened only for requests without room`() throws {
        var (pool, _) = try opened()
        #expect(pool.open(forWaiting: 2, at: 0) == nil)
        #expect(pool.open(forWaiting: 3, at: 0) == 1)
        #expect(pool.open(forWaiting: 4, at: 0) == nil)
    }

    @Test func `requests go to the first connection with room`() throws {
        var (pool, first) = try opened()
        let second = try open(&pool, forWaiting: 3)
        pool.allow(2, on: second, at: 0)
        #expect((0..<5).map { _ in pool.take() } == [first, first, second, second, nil])
        pool.end(on: first, at: 0)
        #expect(pool.take() == first)
        #expect(pool.active == 4)
    }

    @Test func `the server's limit applies if it is lower, and when it changes`() throws {
        var (pool, id) = try opened(streams: 10)
        pool.allow(1, on: id, at: 0)
        #expect([pool.take(), pool.take()] == [id, nil])
        pool.allow(3, on: id, at: 0)
        #expect([pool.take(), pool.take(), pool.take()] == [id, id, nil])
        pool.allow(1, on: id, at: 0)
        for _ in 0..<2 { pool.end(on: id, at: 0) }
        #expect(pool.take() == nil)
    }

    @Test func `a server that allows nothing is not asked on more connections`() throws {
        var (pool, id) = try opened()
        pool.allow(0, on: id, at: 0)
        #expect(pool.open(forWaiting: 9, at: 0) == nil)
        #expect(pool.take() == nil)
    }

    @Test func `a draining connection takes nothing and is closed without requests`() throws {
        var (pool, id) = try opened()
        #expect(pool.take() == id)
        pool.drain(id)
        #expect(pool.take() == nil)
        #expect(!pool.isUsable)
        #expect(pool.open(forWaiting: 1, at: 0) == 1)
        #expect(pool.idle(at: 0) == [])
        pool.end(on: id, at: 0)
        #expect(pool.idle(at: 0) == [id])
    }

    @Test func `draining connections are bounded too`() {
        var pool = pool(connections: 1)
        for id in 0..<2 {
            #expect(pool.open(forWaiting: 1, at: 0) == id)
            pool.allow(1, on: id, at: 0)
            pool.drain(id)
        }
        #expect(pool.open(forWaiting: 1, at: 0) == nil)
        pool.remove(0, at: 0)
        #expect(pool.open(forWaiting: 1, at: 0) == 2)
    }

    @Test func `a failed connection delays the next one while there are others`() throws {
        var (pool, _) = try opened()
        let failed = try open(&pool, forWaiting: 9)
        pool.remove(failed, at: Self.second)
        #expect(pool.open(forWaiting: 9, at: 2 * Self.second - 1) == nil)
        #expect(pool.nextTry(at: Self.second) == 2 * Self.second)
        #expect(pool.open(forWaiting: 9, at: 2 * Self.second) != nil)
        #expect(pool.nextTry(at: 2 * Self.second) == nil)
    }

    @Test func `the only connection is replaced at once`() {
        var pool = pool()
        #expect(pool.open(forWaiting: 1, at: 0) == 0)
        pool.remove(0, at: 0)
        #expect(pool.open(forWaiting: 1, at: 0) == 1)
    }

    @Test func `a connection without requests for a minute is closed`() throws {
        var (pool, id) = try opened()
        #expect(pool.take() == id)
        #expect(pool.nextIdleEnd == nil)
        pool.end(on: id, at: Self.second)
        #expect(pool.nextIdleEnd == 61 * Self.second)
        #expect(pool.idle(at: 61 * Self.second - 1) == [])
        #expect(pool.idle(at: 61 * Self.second) == [id])
    }
}
