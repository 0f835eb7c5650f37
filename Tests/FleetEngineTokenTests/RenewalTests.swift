import Testing

@testable import FleetEngineToken

/// What the cache and its tokens offer to those who renew tokens in the background.
@Suite struct RenewalTests {
    private let now: Int64 = 1_700_000_000
    private let bench: CacheBench
    private let key: TokenKey
    private let token: CachedToken

    init() throws {
        bench = try CacheBench()
        key = try bench.key("t")
        token = bench.cache.insert(CacheBench.token(at: now), for: key, at: now)
    }

    @Test func `a token is usable until the margin before it expires`() throws {
        #expect(bench.cache.usable(key, at: now + 2699, leaving: 600) === token)
        #expect(bench.cache.usable(key, at: now + 2700, leaving: 600) == nil)
        #expect(bench.cache.usable(key, at: now + 3299, leaving: 0) === token)
        #expect(bench.cache.usable(key, at: now - 301, leaving: 0) == nil)
        #expect(bench.cache.usable(key, at: now, leaving: 0, endingBy: now + 3299) == nil)
        #expect(bench.cache.usable(try bench.key("u"), at: now, leaving: 0) == nil)
    }

    @Test func `remote signatures and their failures are counted`() {
        bench.cache.countFailure(of: key, fallback: true)
        bench.cache.countFailure(of: key, fallback: false)
        let statistics = bench.cache.statistics
        #expect((statistics.mints, statistics.failures, statistics.fallbacks) == (1, 2, 1))
    }

    @Test func `a token remembers that it was asked for`() {
        #expect(!token.wasAsked)
        token.markAsked()
        token.markAsked()
        #expect(token.wasAsked)
    }

    @Test func `a renewal is claimed once, and again after another plan`() {
        #expect(!token.hasRenewalPlan && token.needsRenewal(at: now))
        token.planRenewal(at: now + 10)
        #expect(token.hasRenewalPlan && !token.needsRenewal(at: now + 9) && !token.claimRenewal(at: now + 9))
        #expect(token.claimRenewal(at: now + 10))
        #expect(!token.claimRenewal(at: now + 10) && !token.needsRenewal(at: now + 11))
        token.planRenewal(at: now + 20)
        #expect(token.claimRenewal(at: now + 20))
    }
}
