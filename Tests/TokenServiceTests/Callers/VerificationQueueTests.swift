import CallerAccess
import Synchronization
import Testing

@testable import HTTPServer
@testable import TokenService

/// Requests that wait, by the words that their work leaves.
@Suite struct VerificationQueueTests {
    private final class Requests {
        private var lives: [UInt64: AwaitingRequest.Life] = [:]

        func open(_ connection: UInt64) -> AwaitingRequest {
            let life = lives[connection] ?? AwaitingRequest.Life()
            lives[connection] = life
            return AwaitingRequest(connection: connection, life: life)
        }

        func close(_ connection: UInt64) { lives[connection] = nil }
    }

    private final class Words: Sendable {
        let all = Mutex<[String]>([])
    }

    private let one = RateLimitKey(address: [1].span)
    private let two = RateLimitKey(address: [2].span)
    private let requests = Requests()
    private let taken = Words()

    private func add(_ word: String, _ connection: UInt64, of address: RateLimitKey, to queue: inout VerificationQueue)
    {
        let taken = taken
        queue.add(requests.open(connection), of: address) { taken.all.withLock { $0.append(word) } }
    }

    private func takeAll(from queue: inout VerificationQueue) -> [String] {
        while let work = queue.next() { work() }
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

    @Test func `work for a client that has gone is left out`() {
        var queue = VerificationQueue()
        for connection in 1...3 { add("a\(connection)", UInt64(connection), of: one, to: &queue) }
        requests.close(2)
        #expect(takeAll(from: &queue) == ["a1", "a3"])
        add("a4", 2, of: one, to: &queue)
        #expect(takeAll(from: &queue) == ["a1", "a3", "a4"])
    }
}
