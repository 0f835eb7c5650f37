import CallerAccess
import Synchronization
import Testing

@testable import HTTPServer
@testable import TokenService

/// Requests that wait, by the words that their work leaves.
@Suite struct VerificationQueueTests {
    private final class Requests {
        private var lives: [ConnectionIdentity: AwaitingRequest.Life] = [:]
        private let loops = [Words(), Words()]

        private func identity(_ connection: UInt64, _ loop: Int) -> ConnectionIdentity {
            ConnectionIdentity(loop: ObjectIdentifier(loops[loop]), number: connection)
        }

        func open(_ connection: UInt64, on loop: Int = 0) -> AwaitingRequest {
            let identity = identity(connection, loop)
            let life = lives[identity] ?? AwaitingRequest.Life()
            lives[identity] = life
            return AwaitingRequest(connection: identity, life: life)
        }

        func close(_ connection: UInt64) { lives[identity(connection, 0)] = nil }
    }

    private final class Words: Sendable {
        let all = Mutex<[String]>([])
    }

    private let one = RateLimitKey(address: [1].span)
    private let two = RateLimitKey(address: [2].span)
    private let requests = Requests()
    private let taken = Words()

    private func add(
        _ word: String, _ connection: UInt64, on loop: Int = 0, of address: RateLimitKey,
        to queue: inout VerificationQueue
    ) {
        let taken = taken
        queue.add(requests.open(connection, on: loop), of: address) { taken.all.withLock { $0.append(word) } }
    }

    /// What is done, as the lane does it.
    private func takeAll(from queue: inout VerificationQueue) -> [String] {
        while let next = queue.next() {
            if next.request.isAwaited { next.work() }
        }
        return taken.all.withLock { $0 }
    }

    @Test func `a neighbour's request waits for one of each connection`() {
        var queue = VerificationQueue()
        for number in 1...3 { add("a\(number)", 1, of: one, to: &queue) }
        for number in 1...3 { add("b\(number)", 2, of: one, to: &queue) }
        add("c1", 3, of: one, to: &queue)
        #expect(takeAll(from: &queue) == ["a1", "b1", "c1", "a2", "b2", "a3", "b3"])
    }

    @Test func `addresses take turns, however many connections each has`() {
        var queue = VerificationQueue()
        for connection in 1...3 { add("a\(connection)", UInt64(connection), of: one, to: &queue) }
        for number in 1...2 { add("b\(number)", 9, of: two, to: &queue) }
        #expect(takeAll(from: &queue) == ["a1", "b1", "a2", "b2", "a3"])
    }

    @Test func `connections of two loops with one number take turns`() {
        var queue = VerificationQueue()
        for number in 1...2 { add("a\(number)", 7, of: one, to: &queue) }
        add("b1", 7, on: 1, of: one, to: &queue)
        #expect(takeAll(from: &queue) == ["a1", "b1", "a2"])
    }

    @Test func `work for a client that has gone is left out`() {
        var queue = VerificationQueue()
        for connection in 1...3 { add("a\(connection)", UInt64(connection), of: one, to: &queue) }
        requests.close(2)
        #expect(takeAll(from: &queue) == ["a1", "a3"])
        add("a4", 2, of: one, to: &queue)
        #expect(takeAll(from: &queue) == ["a1", "a3", "a4"])
    }

    @Test func `entries of clients that have gone stay few`() {
        var queue = VerificationQueue()
        for connection in 1...10 { add("a\(connection)", UInt64(connection), of: two, to: &queue) }
        var most = 0
        for number in 0..<20_000 {
            let connection = UInt64(100 + number)
            add("gone", connection, of: one, to: &queue)
            requests.close(connection)
            most = max(most, queue.count)
        }
        #expect(most == VerificationQueue.leastSweep)
        #expect(takeAll(from: &queue) == (1...10).map { "a\($0)" })
        #expect(queue.count == 0)
    }
}
