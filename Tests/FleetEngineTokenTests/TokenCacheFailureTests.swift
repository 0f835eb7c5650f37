import FleetEngineToken
import Testing

@Suite struct TokenCacheFailureTests {
    private let start: Int64 = 1_700_000_000
    private let failure = SigningError(reason: "the key is away")

    @Test func `a failure without an older token is thrown and not cached`() throws {
        let bench = try CacheBench()
        #expect(throws: failure) { try failingRequest(bench, at: start) }
        #expect(try bench.request("t", at: start).times.expiresAt == start + 3300)
        #expect(bench.cache.statistics.failures == 1)
        #expect(bench.cache.statistics.fallbacks == 0)
    }

    @Test(arguments: [1501, 3239] as [Int64])
    func `a failed mint returns an older token with over a minute left`(age: Int64) throws {
        let bench = try CacheBench()
        let first = try bench.request("t", at: start)
        #expect(try failingRequest(bench, at: start + age) === first)
        #expect(bench.cache.statistics.fallbacks == 1)
        #expect(try bench.request("t", at: start + age) !== first)
    }

    @Test(arguments: [3240, 3299, 3300, 10_000, -301] as [Int64])
    func `a failed mint returns no almost expired token, nor a future one`(age: Int64) throws {
        let bench = try CacheBench()
        try bench.request("t", at: start)
        #expect(throws: failure) { try failingRequest(bench, at: start + age) }
        #expect(bench.cache.statistics.failures == 1)
    }

    @Test(arguments: [(2899, true), (2900, false)] as [(Int64, Bool)])
    func `a failed mint returns an older token that outlasts its margin`(age: Int64, isUsed: Bool) throws {
        let bench = try CacheBench()
        let first = try bench.request("t", at: start)
        let token = try? bench.cache.token(for: try bench.key("t"), at: start + age, leaving: { _ in 400 }) {
            () throws(SigningError) in throw failure
        }
        #expect((token === first) == isUsed)
    }

    @Test func `an older token that ends after the requested end is not used`() throws {
        let bench = try CacheBench()
        let first = try bench.request("t", at: start)
        func ask(endingBy end: Int64) throws -> CachedToken {
            try bench.cache.token(for: try bench.key("t"), at: start + 1501, endingBy: end) {
                () throws(SigningError) in throw failure
            }
        }
        #expect(throws: failure) { try ask(endingBy: start + 3299) }
        #expect(try ask(endingBy: start + 3301) === first)
    }

    private func failingRequest(_ bench: CacheBench, at now: Int64) throws -> CachedToken {
        try bench.cache.token(for: try bench.key("t"), at: now) { () throws(SigningError) in throw failure }
    }
}
