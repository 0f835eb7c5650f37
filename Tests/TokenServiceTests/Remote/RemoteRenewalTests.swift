import FleetEngineToken
import Testing

@testable import TokenService

/// Tokens live 3,300 s here after they are signed; they are due after 1,320 s.
@Suite struct RemoteRenewalTests {
    private let bench: RemoteBench

    init() throws { bench = try RemoteBench() }

    @Test(arguments: [0, 0.5, 0.999])
    func `a token is renewed before half of its time without a request`(jitter: Double) throws {
        bench.setJitter(jitter)
        let token = try bench.cached()
        bench.run(1154)
        #expect(bench.signer.pending == 0)
        bench.run(1500 - 1154)
        #expect(bench.signer.urgencies == [.request, .refresh])
        #expect(try bench.hit() === token)
        bench.signer.answer()
        let renewed = try bench.hit()
        #expect(renewed != nil && renewed !== token)
        #expect(bench.tokens.count == 1)
    }

    @Test func `a token without further requests is not renewed again`() throws {
        try bench.cached()
        bench.signer.answerAtOnce(.success(HeldRemoteSigner.jws))
        bench.run(10_000)
        #expect(bench.signer.urgencies == [.request, .refresh])
        #expect(bench.mint.figures.planned == 0)
    }

    @Test func `a device that asks every 50 minutes never waits`() throws {
        try bench.cached()
        bench.signer.answerAtOnce(.success(HeldRemoteSigner.jws))
        for _ in 0..<24 {
            bench.run(3000)
            #expect(try bench.hit() != nil)
        }
        #expect(bench.signer.urgencies.dropFirst().allSatisfy { $0 == .refresh })
    }

    @Test func `a hit past the due time renews at once`() throws {
        try bench.cached()
        bench.signer.answerAtOnce(.success(HeldRemoteSigner.jws))
        bench.run(1400)
        bench.signer.answerAtOnce(nil)
        bench.run(1400)
        #expect(bench.signer.urgencies.count == 2)
        for _ in 0..<10 { try bench.hit() }
        #expect(bench.signer.urgencies == [.request, .refresh, .refresh])
        #expect(bench.signer.pending == 1)
    }

    @Test func `while the signer is down a token serves until it ends`() throws {
        try bench.cached()
        bench.signer.answerAtOnce(.failure(RemoteBench.down))
        for _ in 0..<3239 {
            bench.run(1)
            #expect(try bench.hit() != nil)
        }
        bench.run(1)
        #expect(try bench.hit() == nil)
        // One attempt in 13 s: 10 s and jitter.
        #expect((140...160).contains(bench.signer.urgencies.count))
        #expect(bench.cache.statistics.fallbacks == bench.signer.urgencies.count - 1)
        #expect(bench.errors.isEmpty)
    }

    @Test func `a failed renewal is tried again when the signer says`() throws {
        try bench.cached()
        bench.run(1320)
        bench.signer.answer(.failure(RemoteSigningError(reason: "quota", retryAfter: 100, .diagnose)))
        bench.run(124)
        #expect(bench.signer.pending == 0)
        try bench.hit()
        #expect(bench.signer.pending == 0)
        bench.run(1)
        #expect(bench.signer.pending == 1)
        bench.signer.answer()
        #expect(try bench.cachedToken()?.times.expiresAt == bench.now + 3300)
    }

    @Test func `a request waits for the renewal in flight`() throws {
        try bench.cached()
        bench.run(1320)
        try bench.request()
        #expect(bench.signer.urgencies == [.request, .refresh])
        bench.signer.answer()
        #expect(bench.tokens.count == 2)
        #expect(try bench.cachedToken()?.wasAsked == true)
    }

    @Test func `if that renewal fails the request gets one attempt`() throws {
        try bench.cached()
        bench.run(1320)
        for _ in 0..<3 { try bench.request() }
        bench.signer.answer(.failure(RemoteBench.down))
        #expect(bench.signer.urgencies == [.request, .refresh, .request])
        #expect(bench.errors.isEmpty)
        bench.signer.answer(.failure(RemoteBench.down))
        #expect(bench.errors.count == 3)
        #expect(bench.signer.pending == 0)
        bench.run(13)
        #expect(bench.signer.urgencies.last == .refresh)
        #expect(bench.signer.pending == 1)
    }

    @Test func `a replaced token's plan renews nothing`() throws {
        try bench.cached()
        bench.pass(1000)
        try bench.cached()
        bench.run(1000)
        #expect(bench.signer.urgencies == [.request, .request])
        bench.run(320)
        #expect(bench.signer.urgencies.last == .refresh)
    }

    @Test func `plans of large orders take a quarter of the cache's bytes`() throws {
        let bench = try RemoteBench(cacheBytes: 16 << 20)
        for number in 0..<200 { #expect(try bench.cachedBatch(number) != nil) }
        // Each holds 500 ids of more than 24 bytes.
        #expect((40...330).contains(bench.mint.figures.planned))
        let planned = bench.mint.figures.planned
        #expect(planned * 500 * 24 < 4 << 20)
        // The others are renewed by their first hit.
        #expect(try bench.cachedBatch(0)?.hasRenewalPlan == true)
    }

    @Test func `plans of tokens that left the cache are dropped within a minute`() throws {
        let bench = try RemoteBench(cacheBytes: 64 << 10)
        // Tokens that a test holds would stay in the cache's memory.
        for number in 0..<2000 { _ = try bench.cachedBatch(number, tasks: 1) }
        #expect(bench.cache.statistics.evictions > 1500 && bench.mint.figures.planned > 30)
        bench.run(60)
        #expect(bench.mint.figures.planned == 0)
        // A token that is replaced leaves its plan, too.
        for _ in 0..<2 {
            #expect(try bench.cachedBatch(9999, tasks: 1) != nil)
            bench.pass(2)
        }
        #expect(bench.mint.figures.planned == 2)
        bench.run(60)
        #expect(bench.mint.figures.planned == 1)
        bench.run(1320)
        #expect(bench.signer.pending == 1)
    }

    @Test func `after a step of the clock nothing is lost`() throws {
        for index in 0..<300 {
            try bench.cached("t\(index)")
            bench.pass(1)
        }
        bench.pass(2000)
        bench.mint.step()
        #expect(bench.signer.pending == RemoteFlights.maxRenewals)
        // The rest follows as soon as signatures end.
        bench.signer.answer()
        #expect(bench.signer.pending == 300 - RemoteFlights.maxRenewals)
        bench.signer.answer()
        #expect(bench.signer.urgencies.count == 600)
        #expect(bench.mint.figures.inFlight == 0)
    }

    @Test func `a hit is postponed while too many renewals are in flight`() throws {
        for index in 0...RemoteFlights.maxRenewals { try bench.cached("t\(index)") }
        bench.pass(2000)
        for index in 0...RemoteFlights.maxRenewals { try bench.hit("t\(index)") }
        #expect(bench.signer.pending == RemoteFlights.maxRenewals)
        bench.signer.answer()
        bench.run(10)
        #expect(bench.signer.pending == 1)
    }

    @Test func `while renewals fail only some are tried each second`() throws {
        for index in 0..<1000 { try bench.cached("t\(index)") }
        bench.signer.answerAtOnce(.failure(RemoteBench.down))
        bench.run(1320)
        #expect(bench.signer.urgencies.count == 1000 + RemoteFlights.maxRenewals)
        bench.signer.answerAtOnce(.success(HeldRemoteSigner.jws))
        bench.run(20)
        #expect(bench.signer.urgencies.count == 2000 + RemoteFlights.maxRenewals)
        #expect(bench.mint.figures.inFlight == 0)
    }
}

/// Planned renewals after a reload.
@Suite struct RemoteReloadTests {
    private let bench: RemoteBench

    init() throws { bench = try RemoteBench() }

    @Test func `planned tokens are renewed by the signer of a reload`() throws {
        for id in ["a", "b", "c"] { try bench.cached(id) }
        let signer = HeldRemoteSigner()
        let minter = TokenMinter(remote: signer, policy: try TokenPolicy())
        bench.mint.start(signingBy: { _ in minter }, renews: false)
        #expect(bench.mint.figures.planned == 3)
        bench.run(1320)
        #expect((bench.signer.pending, signer.pending) == (0, 3))
    }

    @Test func `after a reload the new signer renews a signature in flight`() throws {
        try bench.request()
        let signer = HeldRemoteSigner()
        let minter = TokenMinter(remote: signer, policy: try TokenPolicy())
        bench.mint.start(signingBy: { _ in minter }, renews: false)
        bench.signer.answer()
        bench.run(1320)
        #expect((bench.signer.pending, signer.pending) == (0, 1))
    }

    @Test func `tokens of changed keys are not renewed after a reload`() throws {
        try bench.cached()
        let minter = TokenMinter(remote: bench.signer, policy: try TokenPolicy(lifetime: 1800))
        bench.mint.start(signingBy: { _ in minter }, renews: false)
        #expect(bench.mint.figures.planned == 0)
    }

    @Test func `tokens of a disabled kind are not renewed after a reload`() throws {
        try bench.cached()
        bench.mint.start(signingBy: { _ in nil }, renews: false)
        #expect(bench.mint.figures.planned == 0)
    }

    /// Only the operator can end it, so that it is an outage at once.
    private static let refused = RemoteSigningError(reason: "the role is missing", retryAfter: nil, .diagnose)

    @Test func `an outage ends without another request`() throws {
        let bench = try RemoteBench(logger: .silent)
        try bench.request(endingBy: bench.now + 900)
        bench.signer.answer(.failure(Self.refused))
        bench.run(RemoteOutages.tryInterval - 1)
        #expect(bench.signer.pending == 0)
        bench.run(2 * RemoteOutages.tryInterval)
        #expect(bench.signer.urgencies == [.request, .refresh])
        bench.signer.answer(.failure(Self.refused))
        #expect(bench.mint.currentOutages.map(\.error) == [Self.refused])
        bench.run(1000)
        bench.signer.answer()
        #expect(bench.mint.currentOutages.isEmpty)
        bench.run(3000)
        #expect(bench.signer.urgencies == [.request, .refresh, .refresh])
        #expect(bench.errors == [Self.refused])
    }

    @Test func `a refusal by our own limits is not an outage`() throws {
        let bench = try RemoteBench(logger: .silent)
        let full = RemoteSigningError(reason: "512 are made", retryAfter: 1, .awaitSignatures, isOurLimit: true)
        for id in 0..<10 {
            try bench.request("id-\(id)")
            bench.signer.answer(.failure(full))
        }
        #expect(bench.errors.count == 10)
        #expect(bench.mint.currentOutages.isEmpty)
    }

    @Test func `an outage of an account that was replaced is not tried again`() throws {
        let bench = try RemoteBench(logger: .silent)
        try bench.request()
        bench.signer.answer(.failure(Self.refused))
        #expect(bench.mint.currentOutages.count == 1)
        bench.mint.start(signingBy: { _ in nil }, renews: false)
        // It could never end.
        #expect(bench.mint.currentOutages.isEmpty)
        bench.run(100)
        #expect(bench.signer.urgencies == [.request])
    }

    @Test func `an outage of a bounded token outlasts a reload`() throws {
        let bench = try RemoteBench(logger: .silent)
        let order = try bench.order(endingBy: bench.now + 900)
        let narrowed = RemoteOrder(
            key: order.key, minter: try bench.minter.narrowed(to: 900), endingBy: order.end, render: order.render)
        bench.mint.token(narrowed) { _ in }
        bench.signer.answer(.failure(Self.refused))
        bench.mint.start(signingBy: { [minter = bench.minter] _ in minter }, renews: false)
        bench.run(2 * RemoteOutages.tryInterval)
        #expect(bench.mint.currentOutages.count == 1)
        #expect(bench.signer.urgencies == [.request, .refresh])
        bench.signer.answer()
        #expect(bench.mint.currentOutages.isEmpty)
    }
}
