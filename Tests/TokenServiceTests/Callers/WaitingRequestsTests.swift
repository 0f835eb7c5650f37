import CallerAccess
import Testing

@testable import HTTPServer
@testable import TokenService

/// Requests that wait, by the words that are their work.
@Suite struct WaitingRequestsTests {
    private final class Requests {
        private var lives: [[Int: LateAnswer.Life]] = [[:], [:]]
        private let loops: [Mailbox]

        init() throws { loops = [try Mailbox(), try Mailbox()] }

        func open(_ connection: Int, on loop: Int = 0) -> LateAnswer {
            let life = lives[loop][connection] ?? LateAnswer.Life()
            lives[loop][connection] = life
            return LateAnswer(of: UInt64(connection), life, by: loops[loop])
        }

        func close(_ connection: Int) { lives[0][connection] = nil }
    }

    private let one = RateLimitKey(address: [1].span)
    private let two = RateLimitKey(address: [2].span)
    private let three = RateLimitKey(address: [3].span)
    private let requests: Requests

    init() throws { requests = try Requests() }

    /// Adds a word, and returns the one that it takes the place of.
    @discardableResult
    private func add(
        _ word: String, _ connection: Int, on loop: Int = 0, of address: RateLimitKey,
        to queue: inout WaitingRequests<String>
    ) -> String? {
        queue.add(requests.open(connection, on: loop), of: address, word)
    }

    private func takeAll(from queue: inout WaitingRequests<String>) -> [String] {
        var taken: [String] = []
        while let next = queue.next() {
            taken.append(next.work)
            queue.end(next)
        }
        return taken
    }

    @Test func `a neighbour's request waits for one of each connection`() {
        var queue = WaitingRequests<String>()
        for number in 1...3 { add("a\(number)", 1, of: one, to: &queue) }
        for number in 1...3 { add("b\(number)", 2, of: one, to: &queue) }
        add("c1", 3, of: one, to: &queue)
        #expect(takeAll(from: &queue) == ["a1", "b1", "c1", "a2", "b2", "a3", "b3"])
    }

    @Test func `addresses take turns, however many connections each has`() {
        var queue = WaitingRequests<String>()
        for connection in 1...3 { add("a\(connection)", connection, of: one, to: &queue) }
        for number in 1...2 { add("b\(number)", 9, of: two, to: &queue) }
        #expect(takeAll(from: &queue) == ["a1", "b1", "a2", "b2", "a3"])
    }

    @Test func `connections of two loops with one number take turns`() {
        var queue = WaitingRequests<String>()
        for number in 1...2 { add("a\(number)", 7, of: one, to: &queue) }
        add("b1", 7, on: 1, of: one, to: &queue)
        #expect(takeAll(from: &queue) == ["a1", "b1", "a2"])
    }

    @Test func `an address has one piece of work in progress`() throws {
        var queue = WaitingRequests<String>()
        for number in 1...2 { add("a\(number)", number, of: one, to: &queue) }
        add("b1", 3, of: two, to: &queue)
        let taken = (0..<3).map { _ in queue.next() }
        add("a3", 4, of: one, to: &queue)
        let another = queue.next()?.work
        queue.end(try #require(taken[0]))
        let next = queue.next()?.work
        #expect(taken.map { $0?.work } + [another, next] == ["a1", "b1", nil, nil, "a2"])
    }

    @Test func `several connections of an address have work in progress`() throws {
        var queue = WaitingRequests<String>(atOnce: 3)
        for number in 1...2 { add("a\(number)", 1, of: one, to: &queue) }
        let (first, second) = (queue.next(), queue.next())
        #expect(second?.work == nil, "a connection has one piece in progress")
        for connection in 2...4 { add("b\(connection)", connection, of: one, to: &queue) }
        let others = (0..<3).map { _ in queue.next() }
        #expect(others.map { $0?.work } == ["b2", "b3", nil])
        queue.end(try #require(first))
        // As many as wait.
        let another = queue.next()?.work
        queue.end(try #require(others[0]))
        let last = queue.next()?.work
        #expect([first?.work, another, last] == ["a1", nil, "b4"])
    }

    @Test func `of connections with one entry each the latest loses its own`() {
        var queue = WaitingRequests<String>(mostOfAddress: 2)
        let evicted = (1...5).map { add("a\($0)", $0, of: one, to: &queue) }
        #expect(evicted == [nil, nil, "a3", "a4", "a5"])
        #expect(takeAll(from: &queue) == ["a1", "a2"])
    }

    @Test func `work for a client that has gone takes no turn`() {
        var queue = WaitingRequests<String>()
        for connection in 1...3 { add("a\(connection)", connection, of: one, to: &queue) }
        add("b1", 4, of: two, to: &queue)
        for connection in 1...2 { requests.close(connection) }
        #expect(takeAll(from: &queue) == ["a3", "b1"])
        add("a4", 2, of: one, to: &queue)
        #expect(takeAll(from: &queue) == ["a4"])
        #expect(queue.count == 0)
    }

    @Test func `entries of clients that have gone stay few`() {
        var queue = WaitingRequests<String>()
        for connection in 1...10 { add("a\(connection)", connection, of: two, to: &queue) }
        var most = 0
        for connection in 100..<20_000 {
            add("gone", connection, of: one, to: &queue)
            requests.close(connection)
            most = max(most, queue.count)
        }
        #expect(most == SweepSchedule.least)
        #expect(takeAll(from: &queue) == (1...10).map { "a\($0)" })
        #expect(queue.count == 0)
    }

    @Test func `a full address loses the oldest work of its fullest connection`() {
        var queue = WaitingRequests<String>(mostOfAddress: 4)
        for number in 1...3 { add("a\(number)", 1, of: one, to: &queue) }
        add("b1", 2, of: one, to: &queue)
        let evicted = [add("c1", 3, of: one, to: &queue), add("b2", 2, of: one, to: &queue)].compactMap(\.self)
        #expect(evicted.first == "a1" && evicted.count == 2)
        #expect(Set(takeAll(from: &queue) + evicted) == ["a1", "a2", "a3", "b1", "b2", "c1"])
        #expect(queue.count == 0)
    }

    @Test func `clients that have gone make room before others lose their work`() {
        var queue = WaitingRequests<String>(mostOfAddress: 2)
        add("a1", 1, of: one, to: &queue)
        add("b1", 2, of: one, to: &queue)
        requests.close(1)
        #expect(add("b2", 2, of: one, to: &queue) == nil)
        #expect(takeAll(from: &queue) == ["b1", "b2"])
    }

    @Test func `an address has its share of all, and at least one place`() {
        var queue = WaitingRequests<String>(mostOfAddress: 9, mostInAll: 4)
        for number in 1...4 { #expect(add("a\(number)", 1, of: one, to: &queue) == nil) }
        for number in 1...2 { #expect(add("b\(number)", 2, of: two, to: &queue) == nil) }
        #expect(add("b3", 2, of: two, to: &queue) == "b1")
        #expect(add("c1", 3, of: three, to: &queue) == nil)
        #expect(add("c2", 3, of: three, to: &queue) == "c1")
    }
}
