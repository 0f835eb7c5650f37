import Dispatch
import FleetEngineToken
import TestSupport
import Testing

@testable import TokenService

@Suite struct RemoteMintTests {
    private let bench: RemoteBench

    init() throws { bench = try RemoteBench() }

    @Test func `a hundred requests for one token share one signature`() throws {
        for _ in 0..<100 { try bench.request() }
        #expect(bench.signer.urgencies == [.request])
        #expect(bench.mint.figures == (100, 1, 0))
        #expect(bench.outcomes.isEmpty)
        bench.signer.answer()
        #expect(bench.tokens.count == 100)
        #expect(bench.tokens.allSatisfy { $0 === bench.tokens.first && $0.wasAsked })
        #expect(try bench.cachedToken() === bench.tokens.first)
        #expect(bench.mint.figures == (0, 0, 1))
        #expect(bench.cache.statistics.mints == 1)
    }

    @Test func `different tokens are signed at the same time`() throws {
        for id in ["a", "b", "c"] { try bench.request(id) }
        #expect(bench.signer.pending == 3)
        bench.signer.answer()
        #expect(Set(bench.tokens.map { ObjectIdentifier($0) }).count == 3)
    }

    @Test func `each account and kind has its own last expiry`() throws {
        let profile = bench.minter.profile
        #expect(bench.mint.lastTokenExpiry(of: .consumer, profile) == nil)
        try bench.cached()
        #expect(bench.mint.lastTokenExpiry(of: .consumer, profile) == bench.now + 3300)
        #expect(bench.mint.lastTokenExpiry(of: .driver, profile) == nil)
        for (account, key) in [("other@a.test", profile.keyID), (profile.account, "other")] {
            let other = SigningProfile(account: account, keyID: key, policy: profile.policy)
            #expect(bench.mint.lastTokenExpiry(of: .consumer, other) == nil)
        }
    }

    @Test func `a last expiry of a clock that was ahead is replaced`() throws {
        bench.pass(7200)
        try bench.cached("a")
        bench.pass(-7200)
        try bench.cached("b")
        #expect(bench.mint.lastTokenExpiry(of: .consumer, bench.minter.profile) == bench.now + 3300)
        try bench.request(endingBy: bench.now + 60)
        bench.signer.answer()
        #expect(bench.mint.lastTokenExpiry(of: .consumer, bench.minter.profile) == bench.now + 3300)
    }

    @Test func `each waiting request gets the error once`() throws {
        for _ in 0..<100 { try bench.request() }
        bench.signer.answer(.failure(RemoteBench.down))
        #expect(bench.errors == [RemoteSigningError](repeating: RemoteBench.down, count: 100))
        #expect(bench.outcomes.count == 100)
        #expect(bench.cache.statistics.failures == 1)
        #expect(bench.mint.figures == (0, 0, 0))
    }

    @Test func `after an error the next request signs again`() throws {
        try bench.request()
        bench.signer.answer(.failure(RemoteBench.down))
        try bench.cached()
        #expect(bench.signer.urgencies == [.request, .request])
        #expect(bench.tokens.count == 1)
    }

    @Test func `an error before the call returns is passed on`() throws {
        bench.signer.answerAtOnce(.failure(RemoteBench.down))
        try bench.request()
        #expect(bench.errors == [RemoteBench.down])
    }

    @Test func `a token signed in the meantime is used`() throws {
        let token = try bench.cached()
        try bench.request()
        #expect(bench.signer.urgencies.count == 1)
        #expect(bench.tokens.count == 2)
        #expect(bench.tokens.last === token)
        bench.pass(2)
        try bench.request()
        #expect(bench.signer.urgencies.count == 2)
    }

    @Test func `the request after ten thousand waiting ones is refused`() throws {
        for index in 0..<10_000 { try bench.request("t\(index % 100)") }
        #expect(bench.outcomes.isEmpty)
        try bench.request("t0")
        try bench.request("new")
        #expect(bench.errors.map(\.retryAfter) == [1, 1])
        #expect(bench.signer.pending == 100)
        bench.signer.answer()
        #expect(bench.tokens.count == 10_000)
        try bench.cached("new")
        #expect(bench.tokens.count == 10_001)
    }

    @Test func `completions on other threads lose no request`() throws {
        let signer = bench.signer
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for index in 0..<250 {
                try? bench.request("t\(index % 50)")
                if index % 5 == thread % 5 { signer.take().map { $0.completion(.success(HeldRemoteSigner.jws)) } }
            }
        }
        while signer.answer() > 0 {}
        #expect(bench.tokens.count == 2000)
        #expect(bench.mint.figures == (0, 0, 50))
    }

    @Test func `a token expires at the bound whatever time has passed`() throws {
        let end = bench.now + 100
        try bench.request(endingBy: end)
        try bench.request(endingBy: end)
        try bench.request(endingBy: end + 50)
        #expect(bench.signer.pending == 2)
        bench.signer.answer()
        #expect(bench.tokens.map(\.times.expiresAt) == [end, end, end + 50])
        #expect(bench.mint.figures.planned == 0)
        bench.pass(100)
        try bench.request(endingBy: end)
        #expect(bench.errors.count == 1)
    }

    @Test func `a request that ran out of time fails no account`() throws {
        try bench.request(endingBy: bench.now)
        #expect(bench.errors.map(\.retryAfter) == [nil])
        #expect(bench.signer.pending == 0)
        #expect(bench.cache.statistics.failures == 0)
        #expect(bench.mint.figures == (0, 0, 0))
    }

    @Test func `a bounded token is renewed for a request with a later bound`() throws {
        try bench.request(endingBy: bench.now + 1000)
        bench.signer.answer()
        let token = try #require(bench.tokens.first)
        func hit(_ token: CachedToken) throws {
            let order = try bench.order(endingBy: bench.now + 1000)
            bench.mint.handedOut(token, order)
        }
        try hit(token)
        bench.pass(300)
        try hit(token)
        #expect(bench.signer.pending == 0)
        bench.pass(200)
        for _ in 0..<3 { try hit(token) }
        #expect(bench.signer.urgencies == [.request, .refresh])
        let down = RemoteSigningError(reason: "down", retryAfter: 1, .diagnose)
        bench.signer.answer(.failure(down))
        bench.pass(9)
        try hit(token)
        #expect(bench.signer.pending == 0)
        bench.pass(7)
        try hit(token)
        bench.signer.answer()
        let renewed = try bench.cache.usable(bench.order().key, at: bench.now, leaving: 0)
        #expect(renewed?.times.expiresAt == bench.now + 1000)
        #expect(bench.mint.figures == (0, 0, 0))
    }

    @Test func `a bounded token that cannot live longer is not renewed`() throws {
        try bench.request(endingBy: bench.now + 1000)
        bench.signer.answer()
        let token = try #require(bench.tokens.first)
        bench.pass(900)
        let order = try bench.order(endingBy: bench.now + 100)
        bench.mint.handedOut(token, order)
        #expect(bench.signer.pending == 0)
    }

    @Test func `a released mint serves its waiting requests`() throws {
        let outcomes = Locked(0)
        var mint: RemoteMint? = RemoteMint(
            cache: bench.cache, clock: { 1_700_000_000 }, on: InlineExecutor(), logger: nil)
        mint?.token(try bench.order()) { _ in outcomes.withLock { $0 += 1 } }
        weak let observed = mint
        mint = nil
        bench.signer.answer()
        #expect(outcomes.withLock { $0 } == 1)
        #expect(observed == nil)
    }
}
