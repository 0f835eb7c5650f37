import TestSupport
import Testing

@testable import Concurrency

struct RefreshedValueTests {
    private struct Down: Error, Equatable {}
    private typealias Kept = RefreshedValue<Int, Down>

    /// A clock, and fetches that the test ends.
    private final class World: Sendable {
        private let time = Guarded(Duration.zero)
        private let fetches = Guarded<[UnsafeContinuation<Result<Int, Down>, Never>]>([])
        private let results = Guarded<[Result<Int, Down>]>([])
        private let refusals = Guarded<[Duration?]>([])

        /// A value of so many seconds, which is fetched again after half of them.
        func kept() -> Kept {
            Kept(
                FetchSchedule(longestPause: .seconds(8), demandPauses: .seconds(1)...(.seconds(60))),
                clock: { self.time.withLock { $0 } }, on: InlineExecutor(),
                fetch: { () throws(Down) in
                    try await withUnsafeContinuation { fetch in self.fetches.withLock { $0.append(fetch) } }.get()
                },
                judge: { value, previous in
                    (.init(renewal: .seconds(value / 2), end: .seconds(value)), value != previous)
                })
        }

        func get(_ kept: Kept) {
            InlineExecutor.start({ await Result(awaiting: kept.get) }) { result in
                self.results.withLock { $0.append(result) }
            }
        }

        func demand(_ kept: Kept, beyond value: Int) {
            InlineExecutor.start({ await kept.demand { ($0 ?? 0) > value } }) { refusal in
                self.refusals.withLock { $0.append(refusal) }
            }
        }

        func end(_ result: Result<Int, Down>) throws {
            let fetch = try #require(fetches.withLock { $0.isEmpty ? nil : $0.removeFirst() })
            fetch.resume(returning: result)
        }

        func pass(_ seconds: Int) { time.withLock { $0 += .seconds(seconds) } }
        var pending: Int { fetches.withLock { $0.count } }
        func takeResults() -> [Result<Int, Down>] {
            results.withLock { results in
                defer { results = [] }
                return results
            }
        }
        func takeRefusals() -> [Duration?] {
            refusals.withLock { refusals in
                defer { refusals = [] }
                return refusals
            }
        }
    }

    private let world = World()

    @Test func `all who ask share one fetch, and later ones its value`() throws {
        let kept = world.kept()
        #expect(kept.known.value == nil && world.pending == 0)
        for _ in 0..<50 { world.get(kept) }
        #expect(world.pending == 1 && world.takeResults().isEmpty)
        try world.end(.success(100))
        #expect(world.takeResults() == Array(repeating: .success(100), count: 50))
        world.get(kept)
        #expect(world.takeResults() == [.success(100)] && world.pending == 0)
        #expect(kept.current == 100)
    }

    @Test func `a value is fetched ahead, and never used after its end`() throws {
        let kept = world.kept()
        world.get(kept)
        try world.end(.success(100))
        world.pass(49)
        #expect(kept.current == 100 && world.pending == 0)
        world.pass(1)
        #expect(kept.current == 100 && world.pending == 1)
        world.pass(50)
        #expect(kept.current == nil && kept.known.value == nil && world.pending == 1)
        world.get(kept)
        try world.end(.success(7))
        #expect(world.takeResults() == [.success(100), .success(7)])
    }

    @Test func `a failure reaches all who wait, and others during the pause`() throws {
        let kept = world.kept()
        world.get(kept)
        try world.end(.failure(Down()))
        world.get(kept)
        #expect(world.takeResults() == [.failure(Down()), .failure(Down())] && world.pending == 0)
        #expect(kept.known.failure == Down())
        world.pass(1)
        world.get(kept)
        #expect(world.takeResults().isEmpty && world.pending == 1)
        try world.end(.success(5))
        #expect(world.takeResults() == [.success(5)] && kept.known.failure == nil)
    }

    @Test func `a failed renewal affects nobody until the end`() throws {
        let kept = world.kept()
        world.get(kept)
        try world.end(.success(100))
        world.pass(50)
        world.get(kept)
        try world.end(.failure(Down()))
        world.get(kept)
        #expect(world.takeResults() == Array(repeating: .success(100), count: 3))
        #expect(kept.known.failure == Down() && world.pending == 0)
    }

    @Test func `a value that has ended when it comes still answers who waited`() throws {
        let kept = world.kept()
        world.get(kept)
        try world.end(.success(0))
        #expect(world.takeResults() == [.success(0)])
        #expect(kept.known.value == nil)
    }

    @Test func `a demand waits for a fetch unless the value is enough`() throws {
        let kept = world.kept()
        world.demand(kept, beyond: 10)
        world.demand(kept, beyond: 1000)
        #expect(world.pending == 1)
        try world.end(.success(100))
        #expect(world.takeRefusals() == [nil, nil])
        world.demand(kept, beyond: 10)
        #expect(world.takeRefusals() == [nil] && world.pending == 0)
        world.demand(kept, beyond: 1000)
        try world.end(.success(100))
        world.demand(kept, beyond: 1000)
        #expect(world.takeRefusals() == [nil, .seconds(1)] && world.pending == 0)
    }

    @Test func `a refused value is fetched again at once, and only once`() throws {
        let kept = world.kept()
        world.get(kept)
        try world.end(.success(100))
        kept.discard { $0 == 99 }
        #expect(world.pending == 0 && kept.known.value == 100)
        for _ in 0..<10 { kept.discard { $0 == 100 } }
        #expect(world.pending == 1 && kept.known.value == nil)
        try world.end(.success(200))
        kept.discard { $0 == 200 }
        #expect(kept.known.value == 200)
    }

    @Test func `freshness counts from the fetch`() throws {
        let kept = world.kept()
        #expect(kept.freshness == nil)
        world.get(kept)
        try world.end(.success(100))
        world.pass(10)
        #expect(try #require(kept.freshness) == (.seconds(10), .seconds(40), .seconds(90)))
    }

    @Test func `keeping a value fresh begins once, with a fetch`() throws {
        let kept = world.kept()
        #expect(kept.start())
        #expect(!kept.start())
        #expect(world.pending == 1)
    }

    @Test func `a value that is released still answers who waits`() throws {
        world.get(world.kept())
        try world.end(.success(3))
        #expect(world.takeResults() == [.success(3)])
    }
}
