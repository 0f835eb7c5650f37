import CallerAccess
import OpenSSLCrypto
import Testing

@Suite struct DecisionCacheTests {
    private let allowed = TimedDecision(.allowed(principal: "p", lifetime: nil), madeAt: 1_800_000_000)

    private func known(_ cache: DecisionCache, at now: Int64, clock: Int64 = 1_800_000_000) -> TimedDecision? {
        cache.decision(digest(1), at: now, clock: clock)
    }

    private func digest(_ number: Int) -> SHA256Digest {
        SHA256Digest(of: Array(String(number).utf8))
    }

    @Test func `a decision is valid for its time, counted from the question`() {
        let cache = DecisionCache(maxBytes: 1 << 20, time: 10_000)
        cache.insert(allowed, digest(1), askedAt: 1000, at: 1900)
        #expect(known(cache, at: 10_999) == allowed)
        #expect(known(cache, at: 11_000) == nil)
        #expect(cache.decision(digest(2), at: 2000, clock: 0) == nil)
    }

    @Test func `a refusal is cached for at most five seconds`() {
        for refusal in [BackEndDecision.denied, .unauthenticated, .undefined] {
            let decision = TimedDecision(refusal, madeAt: 0)
            let long = DecisionCache(maxBytes: 1 << 20, time: 3_600_000)
            long.insert(decision, digest(1), askedAt: 0, at: 0)
            #expect(known(long, at: 4999) == decision)
            #expect(known(long, at: 5000) == nil)
            let short = DecisionCache(maxBytes: 1 << 20, time: 2000)
            short.insert(decision, digest(1), askedAt: 0, at: 0)
            #expect(known(short, at: 1999) == decision)
            #expect(known(short, at: 2000) == nil)
        }
    }

    @Test func `a decision is cached for at most half of its token lifetime`() {
        let cache = DecisionCache(maxBytes: 1 << 20, time: 10_000)
        for (lifetime, end) in [(1, 500), (9, 4500), (60, 10_000), (.max, 10_000)] as [(Int64, Int64)] {
            let decision = TimedDecision(.allowed(principal: nil, lifetime: lifetime), madeAt: 1_800_000_000)
            cache.insert(decision, digest(1), askedAt: 0, at: 0)
            #expect(known(cache, at: end - 1) == decision)
            #expect(known(cache, at: end) == nil)
        }
    }

    @Test func `a decision is not used once the clock passes its lifetime`() {
        let cache = DecisionCache(maxBytes: 1 << 20, time: 10_000)
        let decision = TimedDecision(.allowed(principal: nil, lifetime: 20), madeAt: 1_800_000_000)
        cache.insert(decision, digest(1), askedAt: 0, at: 0)
        #expect(known(cache, at: 1, clock: 1_800_000_019) == decision)
        #expect(known(cache, at: 1, clock: 1_800_000_020) == nil)
        cache.insert(allowed, digest(1), askedAt: 0, at: 0)
        #expect(known(cache, at: 1, clock: .max) == allowed)
    }

    @Test func `a decision that took its whole cache time is not cached`() {
        let cache = DecisionCache(maxBytes: 1 << 20, time: 500)
        cache.insert(allowed, digest(1), askedAt: 0, at: 500)
        #expect(cache.cached.decisions == 0)
    }

    @Test func `all decisions together stay within the cache's byte limit`() {
        let cache = DecisionCache(maxBytes: 100_000, time: 10_000)
        for number in 0..<5000 {
            let name = String(repeating: "x", count: number % 256 + 1)
            cache.insert(
                TimedDecision(.allowed(principal: name, lifetime: nil), madeAt: 0), digest(number), askedAt: 0, at: 0)
            #expect(cache.cached.bytes <= 100_000)
        }
        #expect(cache.cached.decisions > 80)
    }
}
