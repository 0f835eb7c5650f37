import CallerAccess
import OpenSSLSigner
import Testing

@Suite struct DecisionCacheTests {
    private let allowed = BackEndDecision.allowed(principal: "p", lifetime: nil)

    private func digest(_ number: Int) -> SHA256Digest {
        SHA256Digest(of: Array(String(number).utf8))
    }

    @Test func `a decision counts from when it was asked for, for its time and no longer`() {
        let cache = DecisionCache(maxBytes: 1 << 20, time: 10_000)
        cache.insert(allowed, digest(1), askedAt: 1000, at: 1900)
        #expect(cache.decision(digest(1), at: 10_999) == allowed)
        #expect(cache.decision(digest(1), at: 11_000) == nil)
        #expect(cache.decision(digest(2), at: 2000) == nil)
    }

    @Test func `a refusal counts for five seconds at most`() {
        for decision in [BackEndDecision.denied, .unauthenticated] {
            let long = DecisionCache(maxBytes: 1 << 20, time: 3_600_000)
            long.insert(decision, digest(1), askedAt: 0, at: 0)
            #expect(long.decision(digest(1), at: 4999) == decision)
            #expect(long.decision(digest(1), at: 5000) == nil)
            let short = DecisionCache(maxBytes: 1 << 20, time: 2000)
            short.insert(decision, digest(1), askedAt: 0, at: 0)
            #expect(short.decision(digest(1), at: 1999) == decision)
            #expect(short.decision(digest(1), at: 2000) == nil)
        }
    }

    @Test func `a decision counts no longer than the token may serve`() {
        let cache = DecisionCache(maxBytes: 1 << 20, time: 10_000)
        for (lifetime, end) in [(1, 1000), (9, 9000), (60, 10_000), (.max, 10_000)] as [(Int64, Int64)] {
            let decision = BackEndDecision.allowed(principal: nil, lifetime: lifetime)
            cache.insert(decision, digest(1), askedAt: 0, at: 0)
            #expect(cache.decision(digest(1), at: end - 1) == decision)
            #expect(cache.decision(digest(1), at: end) == nil)
        }
    }

    @Test func `a decision that took as long as it counts is not remembered`() {
        let cache = DecisionCache(maxBytes: 1 << 20, time: 500)
        cache.insert(allowed, digest(1), askedAt: 0, at: 500)
        #expect(cache.remembered.decisions == 0)
    }

    @Test func `all decisions stay within the cache's bytes`() {
        let cache = DecisionCache(maxBytes: 100_000, time: 10_000)
        for number in 0..<5000 {
            let name = String(repeating: "x", count: number % 256 + 1)
            cache.insert(.allowed(principal: name, lifetime: nil), digest(number), askedAt: 0, at: 0)
            #expect(cache.remembered.bytes <= 100_000)
        }
        #expect(cache.remembered.decisions > 80)
    }
}
