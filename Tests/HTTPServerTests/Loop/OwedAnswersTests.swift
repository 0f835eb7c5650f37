import Testing

@testable import HTTPServer

struct OwedAnswersTests {
    @Test func `nothing is due before something is added`() {
        let owed = OwedAnswers()
        #expect(!owed.isDue)
        #expect(owed.nextWork() == nil)
        #expect(owed.nextLate() == nil)
        #expect(owed.takeFinished(at: 0).isEmpty)
    }

    @Test func `a connection with buffered bytes is due until it reads them`() {
        let owed = OwedAnswers()
        owed.addReading(1)
        #expect(owed.isDue)
        #expect(owed.takeReading() == [1])
        owed.addReading(2)
        #expect(owed.takeFinished(at: 0).isEmpty)
        #expect(owed.isDue)
        #expect(owed.takeReading() == [2])
        #expect(owed.takeReading().isEmpty)
        #expect(owed.takeFinished(at: 0).isEmpty)
        #expect(!owed.isDue)
    }

    @Test func `work and late answers each keep their order`() {
        let owed = OwedAnswers()
        for connection in UInt64(1)...3 { owed.addWork(connection) }
        for connection in UInt64(4)...6 { owed.addLate((connection, 0, { _ in TestServer.text("a") })) }
        #expect(owed.isDue)
        #expect((1...4).map { _ in owed.nextWork() } == [1, 2, 3, nil])
        #expect((1...4).map { _ in owed.nextLate()?.connection } == [4, 5, 6, nil])
    }

    @Test func `finished answers wait at most a millisecond while work is pending`() {
        let owed = OwedAnswers()
        owed.addWork(1)
        owed.addFinished(2, at: 100)
        owed.addFinished(3, at: 500)
        #expect(owed.takeFinished(at: 99 + OwedAnswers.held).isEmpty)
        #expect(owed.isDue)
        #expect(owed.takeFinished(at: 100 + OwedAnswers.held) == [2, 3])
        #expect(owed.isDue)
        #expect(owed.nextWork() == 1)
        #expect(owed.takeFinished(at: 0).isEmpty)
        #expect(!owed.isDue)
    }

    @Test func `a full batch of finished answers is sent despite pending work`() {
        let owed = OwedAnswers()
        owed.addWork(1)
        let clients = (0..<OwedAnswers.finishedAtOnce).map { UInt64(2 + $0) }
        for client in clients.dropLast() { owed.addFinished(client, at: 100) }
        #expect(owed.takeFinished(at: 100).isEmpty)
        owed.addFinished(clients[clients.count - 1], at: 100)
        #expect(owed.takeFinished(at: 100) == clients)
        #expect(owed.hasWork)
    }

    @Test func `without pending work, finished answers do not wait for late ones`() {
        let owed = OwedAnswers()
        owed.addLate((1, 0, { _ in TestServer.text("a") }))
        owed.addFinished(2, at: 100)
        #expect(owed.takeFinished(at: 100) == [2])
        #expect(owed.isDue)
    }
}
