import Testing

@testable import FleetEngineToken

@Suite struct TokenCacheBoundTests {
    private let start: Int64 = 1_700_000_000

    @Test func `the oldest token is evicted first when the cache is full`() throws {
        let bench = try CacheBench(maxBytes: 3 * entryBytes())
        for id in ["a", "b", "c"] { try bench.request(id, at: start) }
        try bench.request("a", at: start)  // a hit changes no order
        try bench.request("d", at: start)
        #expect(try kept(["a", "b", "c", "d"], bench) == ["b", "c", "d"])
        try bench.request("e", at: start)
        #expect(try kept(["b", "c", "d", "e"], bench) == ["c", "d", "e"])
        #expect(bench.cache.statistics.evictions == 2)
        #expect(bench.cache.statistics.entries == 3)
    }

    @Test func `a replaced token is as old as its replacement`() throws {
        let bench = try CacheBench(maxBytes: 3 * entryBytes())
        for id in ["a", "b", "c"] { try bench.request(id, at: start) }
        try bench.request("a", at: start + 1501)
        #expect(bench.cache.statistics.entries == 3)
        #expect(bench.cache.statistics.evictions == 0)
        try bench.request("d", at: start + 1501)
        #expect(try kept(["a", "d"], bench, at: start + 1501) == ["a", "d"])
        #expect(bench.cache.statistics.entries == 3)
        #expect(bench.cache.statistics.evictions == 1)
    }

    @Test func `expired tokens are removed before any valid token`() throws {
        let bench = try CacheBench(maxBytes: 100 * entryBytes())
        for id in ["a", "b", "c"] { try bench.request(id, at: start) }
        try bench.request("d", at: start + 3299)
        #expect(bench.cache.statistics.expirations == 0)
        try bench.request("e", at: start + 3300)
        #expect(bench.cache.statistics.expirations == 3)
        #expect(bench.cache.statistics.evictions == 0)
        #expect(bench.cache.statistics.entries == 2)
        #expect(try bench.cache.statistics.bytes == 2 * entryBytes())
    }

    @Test func `a token larger than the limit is returned but not cached`() throws {
        let bench = try CacheBench(maxBytes: 3 * entryBytes())
        try bench.request("a", at: start)
        #expect(try bench.request("big", at: start, bytes: 10_000).rendered.count == 10_000)
        #expect(try kept(["a", "big"], bench) == ["a"])
    }

    @Test(arguments: [0, -1, 100])
    func `a cache without space mints each time`(maxBytes: Int) throws {
        let bench = try CacheBench(maxBytes: maxBytes)
        try bench.request("a", at: start)
        try bench.request("a", at: start)
        #expect(bench.cache.statistics == statistics(mints: 2))
    }

    @Test func `the bytes never exceed the limit, with any number of shards`() throws {
        for shards in [0, 1, 3, 16] {
            let bench = try CacheBench(maxBytes: 200_000, shards: shards)
            for number in 0..<500 {
                try bench.request("trip-\(number)", at: start, bytes: 100 + number * 7 % 900)
                #expect(bench.cache.statistics.bytes <= 200_000)
            }
            let figures = bench.cache.statistics
            #expect(figures.entries > 50)
            #expect(figures.entries + figures.evictions == 500)
        }
    }

    @Test func `tokens replaced many times take no further places`() throws {
        let bench = try CacheBench()
        var entries = ExpiringEntries<TokenKey.Digest, CachedToken>()
        let token = bench.cache.insert(CacheBench.token(at: start), for: try bench.key("a"), at: start)
        for number in 0..<10_000 { entries.insert(token, TokenKey.Digest(value: min(number, 1) << 16)) }
        #expect(entries.count == 2)
        #expect(entries.bytes == 2 * token.bytes)
        #expect(entries.turns.count <= 2 * 2 + 33)
    }

    // An allocator cannot give longer texts the places that shorter ones have left.
    @Test(arguments: [90, -90])
    func `texts of another length fit into the memory of older ones`(growth: Int) throws {
        let limit = 1 << 20
        var entries = TokenCacheEntries(maxBytes: limit)
        let bench = try CacheBench()
        var mostUsed = 0
        for number in 0..<20_000 {
            let token = CacheBench.token(at: start, bytes: 1200 + (number / 1000 - 10) * growth + number % 7)
            insert(token, for: try bench.key("trip-\(number)"), into: &entries)
            mostUsed = max(mostUsed, entries.texts.used)
        }
        #expect(entries.statistics.evictions > 10_000)
        #expect(entries.statistics.bytes > limit - 4000)
        #expect(entries.texts.memory - mostUsed <= TokenTexts.slabBlocks * TokenText.blockBytes)
    }

    @Test func `a text that an answer refers to counts until freed`() throws {
        let bench = try CacheBench(maxBytes: 4 * entryBytes())
        var held = try ["a", "b", "c", "d"].map { try bench.request($0, at: start) }
        let texts = held.map(\.rendered)
        try bench.request("e", at: start)
        // Four texts, and no place for a fifth.
        #expect(bench.cache.statistics.entries == 0)
        #expect(held.map(\.rendered) == texts)
        held = []
        try bench.request("f", at: start)
        #expect(bench.cache.statistics.entries == 1)
        #expect(try bench.cache.statistics.bytes == entryBytes())
    }

    private func insert(_ token: RenderedToken, for key: TokenKey, into entries: inout TokenCacheEntries) {
        _ = entries.insert(token, token.text(for: key), for: key, at: start)
    }

    private func entryBytes() throws -> Int {
        let bench = try CacheBench()
        try bench.request("a", at: start)
        return bench.cache.statistics.bytes
    }

    private func kept(_ ids: [String], _ bench: CacheBench, at now: Int64? = nil) throws -> [String] {
        try ids.filter { bench.cache.fresh(try bench.key($0), at: now ?? start) != nil }
    }

    private func statistics(mints: Int) -> TokenCacheStatistics {
        var statistics = TokenCacheStatistics()
        statistics.mints = mints
        return statistics
    }
}
