import FleetEngineToken
import Testing

@Suite struct TokenCacheFreshnessTests {
    private let start: Int64 = 1_700_000_000

    @Test func `a token that was never requested is not cached`() throws {
        let bench = try CacheBench()
        #expect(bench.cache.fresh(try bench.key("t"), at: start) == nil)
    }

    @Test(
        arguments: [
            (0.5, 1500), (0.0, 3299), (0.25, 2400), (0.75, 600), (0.9, 60),
        ] as [(Double, Int64)])
    func `a token is reused, to the second, while enough lifetime is left`(
        fraction: Double, last: Int64
    ) throws {
        let bench = try CacheBench(reuseFraction: fraction)
        let key = try bench.key("t")
        let first = try bench.request("t", at: start)
        #expect(bench.cache.fresh(key, at: start) === first)
        #expect(bench.cache.fresh(key, at: start + last) === first)
        #expect(bench.cache.fresh(key, at: start + last + 1) == nil)
        #expect(try bench.request("t", at: start + last) === first)
        #expect(try bench.request("t", at: start + last + 1) !== first)
        #expect(bench.cache.statistics.mints == 2)
    }

    @Test(arguments: [(1.0, nil), (7.0, nil), (-1.0, 3299)] as [(Double, Int64?)])
    func `a fraction out of range is clamped to the nearest bound`(fraction: Double, last: Int64?) throws {
        let bench = try CacheBench(reuseFraction: fraction)
        let key = try bench.key("t")
        try bench.request("t", at: start)
        #expect((bench.cache.fresh(key, at: start) != nil) == (last != nil))
        guard let last else { return }
        #expect(bench.cache.fresh(key, at: start + last) != nil)
        #expect(bench.cache.fresh(key, at: start + last + 1) == nil)
    }

    // The cached token would end too far ahead.
    @Test func `a clock set back beyond the back-dating gets a new token`() throws {
        let bench = try CacheBench()
        let key = try bench.key("t")
        let first = try bench.request("t", at: start)
        #expect(bench.cache.fresh(key, at: start - 300) === first)
        #expect(bench.cache.fresh(key, at: start - 301) == nil)
        let second = try bench.request("t", at: start - 301)
        #expect(second.times.expiresAt == start - 301 + 3300)
        #expect(bench.cache.fresh(key, at: start - 301) === second)
    }

    // A token that ends exactly at the requested end is reused until it expires; one that ends later never is.
    @Test func `a cached token is reused if it ends by the requested end`() throws {
        let bench = try CacheBench()
        let key = try bench.key("t")
        let first = try bench.request("t", at: start)
        let end = start + 3300
        for age: Int64 in [0, 1500, 1501, 3299] {
            #expect(bench.cache.fresh(key, at: start + age, endingBy: end) === first)
            #expect(bench.cache.fresh(key, at: start + age, endingBy: end - 1) == nil)
        }
        #expect(bench.cache.fresh(key, at: end, endingBy: end) == nil)
        #expect(bench.cache.fresh(key, at: start - 301, endingBy: end) == nil)
        #expect(bench.cache.fresh(key, at: start + 1500, endingBy: end + 1) === first)
        #expect(bench.cache.fresh(key, at: start + 1501, endingBy: end + 1) == nil)
        let second = try bench.cache.token(for: key, at: start, endingBy: end - 1) { () throws(SigningError) in
            CacheBench.token(at: start - 1)
        }
        #expect(second !== first)
        #expect(bench.cache.fresh(key, at: start, endingBy: end) === second)
    }

    @Test func `keys that differ only in their kind have separate tokens`() throws {
        let bench = try CacheBench()
        let id = try FleetEngineID("x")
        let keys = [PrivateClaims.trip(id), .vehicle(id)].map { TokenKey(claims: $0, profile: bench.profile) }
        let tokens = try keys.map { key in
            try bench.cache.token(for: key, at: start) { () throws(SigningError) in CacheBench.token(at: start) }
        }
        #expect(tokens[0] !== tokens[1])
        #expect(bench.cache.fresh(keys[0], at: start) === tokens[0])
        #expect(bench.cache.fresh(keys[1], at: start) === tokens[1])
    }

    @Test(arguments: [Int64.min, 0, Int64.max])
    func `an extreme clock value finds no token and does not trap`(now: Int64) throws {
        let bench = try CacheBench()
        try bench.request("t", at: start)
        #expect(bench.cache.fresh(try bench.key("t"), at: now) == nil)
    }
}
