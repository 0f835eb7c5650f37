import TestSupport
import FleetEngineToken
import Logging

@testable import TokenService

/// A mint with a signer, a clock and randomness that a test controls.
final class RemoteBench: Sendable {
    typealias Outcome = Result<CachedToken, RemoteSigningError>

    static let down = RemoteSigningError(reason: "Google is down", retryAfter: 5, .diagnose)

    let signer = HeldRemoteSigner()
    let cache: TokenCache
    let minter: TokenMinter
    let mint: RemoteMint
    private let time: Locked<Int64>
    private let jitter: Locked<Double>
    private let results = Locked<[Outcome]>([])

    init(cacheBytes: Int = 64 << 20, logger: Logger? = nil) throws {
        let (time, jitter) = (Locked<Int64>(1_700_000_000), Locked(0.5))
        (self.time, self.jitter) = (time, jitter)
        cache = TokenCache(maxBytes: cacheBytes, reuseFraction: 0.5)
        minter = TokenMinter(remote: signer, policy: try TokenPolicy())
        mint = RemoteMint(
            cache: cache, clock: { time.withLock { $0 } }, random: { jitter.withLock { $0 } }, on: InlineExecutor(),
            logger: logger)
    }

    var now: Int64 { time.withLock { $0 } }

    /// What the requests got, in this order.
    var outcomes: [Outcome] { results.withLock { $0 } }
    var tokens: [CachedToken] { outcomes.compactMap { try? $0.get() } }
    var errors: [RemoteSigningError] {
        outcomes.compactMap { if case .failure(let error) = $0 { error } else { nil } }
    }

    /// The clock goes on, or back, without a step of the timer.
    func pass(_ seconds: Int64) { time.withLock { $0 += seconds } }
    func setJitter(_ value: Double) { jitter.withLock { $0 = value } }

    /// The clock goes on second by second, each with a step of the timer.
    func run(_ seconds: Int64) {
        for _ in 0..<seconds {
            pass(1)
            mint.step()
        }
    }

    func order(_ id: String = "t", endingBy end: Int64 = .max) throws -> RemoteOrder {
        order(.trip(try FleetEngineID(id)), endingBy: end)
    }

    func order(_ claims: PrivateClaims, endingBy end: Int64 = .max) -> RemoteOrder {
        let key = TokenKey(claims: claims, profile: minter.profile)
        return RemoteOrder(key: key, minter: minter, endingBy: end) { token, _ in
            RenderedToken(token, rendered: token.jwt)
        }
    }

    /// A request that no cached token answers.
    func request(_ id: String = "t", endingBy end: Int64 = .max) throws {
        let results = results
        mint.token(try order(id, endingBy: end)) { result in results.withLock { $0.append(result) } }
    }

    /// A request that a cached token answers, if one has more than a minute left.
    @discardableResult
    func hit(_ id: String = "t") throws -> CachedToken? {
        let order = try order(id)
        guard let token = cache.usable(order.key, at: now, leaving: 60) else { return nil }
        mint.handedOut(token, order)
        return token
    }

    /// The token of a task batch that was signed now for a request; nil if it was not cached.
    func cachedBatch(_ number: Int, tasks: Int = 500) throws -> CachedToken? {
        let ids = try (0..<tasks).map { try FleetEngineID("batch-\(number)-task-\(10_000_000_000 + $0)") }
        let order = order(.tasks(try TaskBatch(ids)))
        mint.token(order) { _ in }
        signer.answer()
        return cache.usable(order.key, at: now, leaving: 0)
    }

    /// A token that was signed now for a request.
    @discardableResult
    func cached(_ id: String = "t") throws -> CachedToken? {
        try request(id)
        signer.answer()
        return try cachedToken(id)
    }

    func cachedToken(_ id: String = "t") throws -> CachedToken? {
        cache.usable(try order(id).key, at: now, leaving: 0)
    }
}
