import Concurrency
import TestSupport
import Testing

@testable import GoogleCredentials

struct AccessTokenSourceTests {
    /// A clock and fetches that the test ends.
    private final class World: Sendable {
        let time = Guarded(now)
        let fetches = Guarded<[UnsafeContinuation<Result<AccessToken, AccessTokenError>, Never>]>([])
        let results = Guarded<[String]>([])

        func source(margin: Int64 = 300) -> AccessTokenSource {
            let clock = SigningClock(
                monotonic: { self.time.withLock { .seconds($0 - now) } }, epochSeconds: { self.time.withLock { $0 } },
                sleep: { _ in }, random: { 1 }, executor: InlineExecutor())
            return AccessTokenSource(clock, refreshMargin: margin) { () throws(AccessTokenError) in
                try await withUnsafeContinuation { fetch in self.fetches.withLock { $0.append(fetch) } }.get()
            }
        }

        func ask(_ source: AccessTokenSource) {
            InlineExecutor.start({ await Result(awaiting: source.get) }) { result in
                let text =
                    switch result {
                    case .success(let token): token.value.value
                    case .failure(let error): error.sentence
                    }
                self.results.withLock { $0.append(text) }
            }
        }

        /// Ends the oldest fetch.
        func end(_ result: Result<AccessToken, AccessTokenError>) throws {
            let fetch = try #require(fetches.withLock { $0.isEmpty ? nil : $0.removeFirst() })
            fetch.resume(returning: result)
        }

        func pass(_ seconds: Int64) { time.withLock { $0 += seconds } }
        var pending: Int { fetches.withLock { $0.count } }
        func takeResults() -> [String] {
            results.withLock { results in
                defer { results = [] }
                return results
            }
        }
    }

    private static func token(_ value: String, _ lifetime: Int64 = 3600) -> Result<AccessToken, AccessTokenError> {
        .success(AccessToken(value: Secret(value), expiresAt: now + lifetime))
    }

    private static let down = Result<AccessToken, AccessTokenError>.failure(AccessTokenError("x is down"))

    @Test func `all who wait share one fetch, and later ones its token`() throws {
        let world = World()
        let source = world.source()
        for _ in 0..<100 { world.ask(source) }
        #expect(world.pending == 1 && world.takeResults().isEmpty)
        try world.end(Self.token("a"))
        #expect(world.takeResults() == Array(repeating: "a", count: 100))
        world.ask(source)
        #expect(world.takeResults() == ["a"] && world.pending == 0)
        #expect(source.known.value?.expiresAt == now + 3600 && source.known.failure == nil)
    }

    @Test func `a failure reaches all who wait, and others during the pause`() throws {
        let world = World()
        let source = world.source()
        for _ in 0..<3 { world.ask(source) }
        try world.end(Self.down)
        world.ask(source)
        #expect(world.takeResults() == Array(repeating: "x is down", count: 4))
        #expect(world.pending == 0)
        #expect(source.known.value == nil && source.known.failure == AccessTokenError("x is down"))
        world.pass(1)
        world.ask(source)
        #expect(world.takeResults().isEmpty && world.pending == 1)
    }

    @Test func `a renewal runs in the background, and its failure affects no request`() throws {
        let world = World()
        let source = world.source(margin: 225)
        world.ask(source)
        try world.end(Self.token("a"))
        world.pass(3375)
        for _ in 0..<10 { world.ask(source) }
        #expect(world.pending == 1)
        try world.end(Self.down)
        world.ask(source)
        #expect(world.takeResults() == Array(repeating: "a", count: 12))
        #expect(source.known.value?.expiresAt == now + 3600)
        #expect(source.known.failure == AccessTokenError("x is down"))
        world.pass(1)
        world.ask(source)
        try world.end(Self.token("b", 7200))
        world.ask(source)
        #expect(world.takeResults() == ["a", "b"])
    }

    @Test func `a rejected token is fetched again at once, and only once`() throws {
        let world = World()
        let source = world.source()
        world.ask(source)
        let old = Self.token("a")
        try world.end(old)
        for _ in 0..<10 { source.reject(try old.get()) }
        #expect(world.pending == 1)
        world.ask(source)
        try world.end(Self.token("b"))
        #expect(world.takeResults() == ["a", "b"])
        source.reject(try Self.token("b").get())
        #expect(world.pending == 0)
    }

    @Test func `keeping a token fresh begins with one fetch`() throws {
        let world = World()
        let source = world.source()
        #expect(source.start())
        #expect(!source.start())
        #expect(world.pending == 1)
        try world.end(Self.token("a"))
        world.ask(source)
        #expect(world.takeResults() == ["a"])
    }

    @Test func `a source that is released still tells those who wait`() throws {
        let world = World()
        world.ask(world.source())
        try world.end(Self.token("a"))
        #expect(world.takeResults() == ["a"])
    }

    @Test(arguments: [300, 225])
    func `a token is renewed at the margin and used until its reserve`(margin: Int) {
        let freshness = AccessTokenSource.freshness(.seconds(3600), margin: .seconds(margin))
        #expect(freshness == .init(renewal: .seconds(3600 - margin), end: .seconds(3590)))
    }

    @Test(arguments: [1, 2, 3, 20, 39])
    func `a token with a short rest is renewed before its reserve`(rest: Int) {
        let freshness = AccessTokenSource.freshness(.seconds(rest), margin: .seconds(300))
        #expect(freshness == .init(renewal: .seconds(rest) / 2, end: .seconds(rest) * 3 / 4))
    }

    @Test func `a renewal of a short token makes nobody wait`() throws {
        let world = World()
        let source = world.source()
        world.ask(source)
        try world.end(Self.token("a", 16))
        world.pass(8)
        world.ask(source)
        #expect(world.takeResults() == ["a", "a"] && world.pending == 1)
    }

    @Test func `concurrent questions are each answered once`() async throws {
        let fetches = Guarded(0)
        let source = AccessTokenSource(.standingStill) { () throws(AccessTokenError) in
            fetches.withLock { $0 += 1 }
            await Task.yield()
            return try Self.token("a").get()
        }
        await withTaskGroup(of: String?.self) { group in
            for _ in 0..<200 { group.addTask { try? await source.get().value.value } }
            for await value in group { #expect(value == "a") }
        }
        #expect(fetches.withLock { $0 } == 1)
    }
}
