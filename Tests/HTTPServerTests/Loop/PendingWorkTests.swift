import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

struct PendingWorkTests {
    @Test func `nothing is due before something is added`() {
        let pending = PendingWork()
        #expect(!pending.isDue)
        #expect(pending.nextWork() == nil)
        #expect(pending.nextLate() == nil)
        #expect(pending.takeReady(at: 0).isEmpty)
    }

    @Test func `a connection that holds bytes is due until it has read`() {
        let pending = PendingWork()
        pending.addReading(1)
        #expect(pending.isDue)
        #expect(pending.readingCount == 1)
        #expect(pending.nextReading() == 1)
        pending.addReading(2)
        #expect(pending.takeReady(at: 0).isEmpty)
        #expect(pending.isDue)
        #expect(pending.nextReading() == 2)
        #expect(pending.nextReading() == nil)
        #expect(pending.readingCount == 0)
        #expect(pending.takeReady(at: 0).isEmpty)
        #expect(!pending.isDue)
    }

    @Test func `work and late answers each keep their order`() {
        let pending = PendingWork()
        for connection in UInt64(1)...3 { pending.addWork(connection, 0) }
        for connection in UInt64(4)...6 { pending.addLate((connection, 0, { _ in TestServer.text("a") })) }
        #expect(pending.isDue)
        #expect((1...4).map { _ in pending.nextWork()?.connection } == [1, 2, 3, nil])
        #expect((1...4).map { _ in pending.nextLate()?.connection } == [4, 5, 6, nil])
    }

    @Test func `addresses take turns to be read`() {
        let pending = PendingWork()
        let (heavy, light) = (MemoryAccount(), MemoryAccount())
        for connection in UInt64(1)...3 { pending.addReading(connection, of: heavy) }
        pending.addReading(4, of: light)
        #expect(pending.readingCount == 4)
        #expect((1...5).map { _ in pending.nextReading() } == [1, 4, 2, 3, nil])
    }

    @Test func `addresses take turns, and each keeps its order`() {
        let pending = PendingWork()
        let (heavy, light) = (MemoryAccount(), MemoryAccount())
        for connection in UInt64(1)...4 { pending.addWork(connection, 0, of: heavy) }
        for connection in UInt64(5)...6 { pending.addWork(connection, 0, of: light) }
        pending.addWork(7, 0)
        #expect((1...3).map { _ in pending.nextWork()?.connection } == [1, 5, 7])
        pending.addWork(8, 0)
        #expect((1...5).map { _ in pending.nextWork()?.connection } == [8, 2, 6, 3, 4])
        #expect(!pending.hasWork && pending.nextWork() == nil)
    }

    @Test func `an address without work comes first, three in a row`() {
        let pending = PendingWork()
        let (heavy, light) = (MemoryAccount(), (0..<6).map { _ in MemoryAccount() })
        for connection in UInt64(1)...3 { pending.addWork(connection, 0, of: heavy) }
        #expect(pending.nextWork()?.connection == 1)
        for (index, account) in light.enumerated() { pending.addWork(UInt64(10 + index), 0, of: account) }
        #expect((1...9).map { _ in pending.nextWork()?.connection } == [10, 11, 12, 2, 13, 14, 15, 3, nil])
    }

    @Test func `an address that asks again meanwhile waits no round of others`() {
        let pending = PendingWork()
        let (heavy, light) = ((0..<8).map { _ in MemoryAccount() }, MemoryAccount())
        for account in heavy { for connection in UInt64(1)...9 { pending.addWork(connection, 0, of: account) } }
        // By now each of them waits for another turn.
        for _ in 0..<20 { #expect(pending.nextWork() != nil) }
        for _ in 0..<3 {
            pending.addWork(100, 0, of: light)
            #expect(pending.nextWork()?.connection == 100)
        }
    }

    @Test func `finished answers are held while work waits, for a millisecond at most`() {
        let pending = PendingWork()
        pending.addWork(1, 0)
        pending.addReady(2, at: 100)
        pending.addReady(3, at: 500)
        #expect(pending.takeReady(at: 99 + PendingWork.held).isEmpty)
        #expect(pending.isDue)
        #expect(pending.takeReady(at: 100 + PendingWork.held) == [2, 3])
        #expect(pending.isDue)
        #expect(pending.nextWork()?.connection == 1)
        #expect(pending.takeReady(at: 0).isEmpty)
        #expect(!pending.isDue)
    }

    @Test func `enough ready answers are sent although work waits`() {
        let pending = PendingWork()
        pending.addWork(1, 0)
        let clients = (0..<PendingWork.readyAtOnce).map { UInt64(2 + $0) }
        for client in clients.dropLast() { pending.addReady(client, at: 100) }
        #expect(pending.takeReady(at: 100).isEmpty)
        pending.addReady(clients[clients.count - 1], at: 100)
        #expect(pending.takeReady(at: 100) == clients)
        #expect(pending.hasWork)
    }

    @Test func `ready answers are sent at once if only late answers wait`() {
        let pending = PendingWork()
        pending.addLate((1, 0, { _ in TestServer.text("a") }))
        pending.addReady(2, at: 100)
        #expect(pending.takeReady(at: 100) == [2])
        #expect(pending.isDue)
    }
}
