import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import FleetEngineToken

@Suite struct TokenCacheConcurrencyTests {
    private let now: Int64 = 1_700_000_000

    @Test func `concurrent requests for the same new id cost one signature`() throws {
        let minter = TokenMinter(signer: RecordingSigner(), policy: try TokenPolicy())
        let cache = TokenCache(maxBytes: 1 << 24, reuseFraction: 0.5)
        let mints = Atomic(0)
        let answers = Locked<[Set<ObjectIdentifier>]>(Array(repeating: [], count: 50))
        DispatchQueue.concurrentPerform(iterations: 50 * 16) { iteration in
            let number = iteration / 16
            guard let id = try? FleetEngineID("trip-\(number)") else { return }
            let key = TokenKey(claims: .trip(id), profile: minter.profile)
            let answer = try? cache.token(for: key, at: now) { () throws(SigningError) in
                mints.add(1, ordering: .relaxed)
                return RenderedToken(try minter.mint(.trip(id), at: now), rendered: [])
            }
            guard let answer else { return }
            answers.withLock { _ = $0[number].insert(ObjectIdentifier(answer)) }
        }
        #expect(mints.load(ordering: .relaxed) == 50)
        #expect(cache.statistics.mints == 50)
        #expect(answers.withLock { $0.map(\.count) } == Array(repeating: 1, count: 50))
    }

    @Test func `while one thread mints, other threads find their tokens`() throws {
        let bench = try CacheBench(shards: 1)
        let keys = try (0..<100).map { try bench.key("trip-\($0)") }
        for number in 0..<100 { try bench.request("trip-\(number)", at: now) }
        let slow = try bench.key("slow")
        _ = try bench.cache.token(for: slow, at: now) { () throws(SigningError) in
            // The lock of this mint is held: hits in the same shard must not need it.
            let hits = Atomic(0)
            DispatchQueue.concurrentPerform(iterations: 100) { number in
                guard bench.cache.fresh(keys[number], at: now) != nil else { return }
                hits.add(1, ordering: .relaxed)
            }
            #expect(hits.load(ordering: .relaxed) == 100)
            return CacheBench.token(at: now)
        }
        #expect(bench.cache.fresh(slow, at: now) != nil)
    }

    @Test func `concurrent mints, hits, evictions and expirations keep the counts right`() throws {
        let bench = try CacheBench(maxBytes: 100_000, shards: 4)
        let wrong = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for step in 0..<2000 {
                let number = (step * 7 + thread * 13) % 120
                let time = now + Int64(step)
                guard let id = try? FleetEngineID("trip-\(number)") else { continue }
                let key = TokenKey(claims: .trip(id), profile: bench.profile)
                let answer = try? bench.cache.token(for: key, at: time) { () throws(SigningError) in
                    CacheBench.token(at: time, bytes: 300 + number)
                }
                // Other threads evict the token meanwhile, and fill its memory again.
                let expected = CacheBench.token(at: time, bytes: 300 + number).bytes
                if answer?.rendered != expected { wrong.add(1, ordering: .relaxed) }
            }
        }
        let figures = bench.cache.statistics
        #expect(wrong.load(ordering: .relaxed) == 0)
        #expect(figures.bytes <= 100_000)
        #expect(figures.entries > 0)
        #expect(figures.mints >= figures.entries + figures.evictions + figures.expirations)
    }
}
