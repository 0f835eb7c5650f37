import Concurrency
import Dispatch
import Testing

@Suite struct GuardedTests {
    private struct Refused: Error, Equatable { let count: Int }

    @Test func `concurrent updates are not lost and are seen in order`() {
        let threads = 8
        let steps = 10_000
        let shared = Guarded((count: 0, seen: [[Int]](repeating: [], count: threads)))
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            for _ in 0..<steps {
                shared.withLock { state in
                    state.count += 1
                    state.seen[thread].append(state.count)
                }
            }
        }
        let (count, seen) = shared.withLock { $0 }
        #expect(count == threads * steps)
        #expect(seen.allSatisfy { $0.count == steps && $0 == $0.sorted() })
        #expect(Set(seen.joined()).count == threads * steps)
    }

    @Test func `values changed together never differ while the lock is held`() {
        let shared = Guarded((first: 0, second: 0))
        let torn = Guarded(0)
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<10_000 {
                let isTorn = shared.withLock { state in
                    defer { state.second += 1 }
                    state.first += 1
                    return state.first != state.second + 1
                }
                if isTorn { torn.withLock { $0 += 1 } }
            }
        }
        #expect(torn.withLock { $0 } == 0)
        #expect(shared.withLock { $0.first == 40_000 && $0.second == 40_000 })
    }

    @Test func `an error releases the lock and keeps changes made before it`() {
        let shared = Guarded(1)
        let error = #expect(throws: Refused.self) {
            try shared.withLock { count throws(Refused) in
                count += 1
                throw Refused(count: count)
            }
        }
        #expect(error == Refused(count: 2))
        #expect(shared.withLock { $0 } == 2)
    }
}
