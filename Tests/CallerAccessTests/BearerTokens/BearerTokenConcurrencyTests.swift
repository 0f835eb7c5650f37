import Dispatch
import Synchronization
import Testing

@Suite struct BearerTokenConcurrencyTests {
    private let now = TestIssuer.now

    @Test func `threads that verify at the same time each get their own caller`() throws {
        let issuer = try TestIssuer()
        // Too few bytes for all tokens, so that some are evicted and verified again.
        let verifier = try issuer.verifier(cacheBytes: 400_000)
        let tokens = try (0..<200).map { try issuer.token(claims: ["sub": "\"driver-\($0)\""]) }
        let wrong = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for step in 0..<1000 {
                let number = (step * 7 + thread * 13) % 200
                let name = try? verifier.principal(of: tokens[number], at: now).name
                if name != "driver-\(number)" { wrong.add(1, ordering: .relaxed) }
            }
        }
        #expect(wrong.load(ordering: .relaxed) == 0)
        #expect(verifier.cached.bytes <= 400_000)
        #expect(verifier.cached.tokens > 0)
    }

    @Test func `no token of a replaced key is accepted while others verify`() throws {
        let issuers = [try TestIssuer(), try TestIssuer(key: 1)]
        let tokens = try issuers.map { issuer in try (0..<20).map { try issuer.token(claims: ["sub": "\"\($0)\""]) } }
        let sets = try issuers.map { try $0.keys() }
        let verifier = try issuers[0].verifier()
        let isDone = Atomic(false)
        let wrong = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            guard thread == 0 else {
                // These threads fill the cache with tokens of either key while the keys are replaced.
                var step = thread
                while !isDone.load(ordering: .acquiring) {
                    _ = verifier.fault(tokens[step % 2][step % 20], at: now)
                    step += 1
                }
                return
            }
            for round in 1...200 {
                let current = round % 2
                verifier.replaceKeys(of: TestIssuer.name, with: sets[current])
                for number in 0..<3 {
                    let token = tokens[1 - current][(round + number) % 20]
                    if verifier.fault(token, at: now) != .signatureWrong { wrong.add(1, ordering: .relaxed) }
                    let good = tokens[current][(round + number) % 20]
                    if verifier.fault(good, at: now) != nil { wrong.add(1, ordering: .relaxed) }
                }
            }
            isDone.store(true, ordering: .releasing)
        }
        #expect(wrong.load(ordering: .relaxed) == 0)
    }
}
