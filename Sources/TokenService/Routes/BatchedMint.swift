import Concurrency
import FleetEngineToken
import HTTPServer
import Logging

/// A new token that can be signed together with others.
final class BatchedMint: SharedWork {
    private let key: TokenKey
    private let minter: TokenMinter
    private let handout: TokenHandout
    /// Nil until it was signed with others; then the token is minted alone.
    private(set) var token: MintedToken?

    init(_ key: TokenKey, _ minter: TokenMinter, for handout: TokenHandout) {
        (self.key, self.minter, self.handout) = (key, minter, handout)
    }

    var mostAtOnce: Int { token == nil ? minter.batchSizes?.upperBound ?? 1 : 1 }

    func perform(with others: [any SharedWork], at time: ServerTime) {
        let now = time.epochSeconds
        var keys: Set<TokenKey> = []
        // Requests for the same token need one signature, and none if another event loop has made it.
        let missing = ([self] + others.compactMap { $0 as? BatchedMint }).filter {
            $0.token == nil && keys.insert($0.key).inserted && $0.handout.cache.fresh($0.key, at: now) == nil
        }
        guard let first = missing.first, first.minter.batchSizes?.contains(missing.count) == true else { return }
        let began = MonotonicTime.now()
        let batch = TokenMinter.mint(together: missing.map { ($0.minter, $0.key.claims) }, at: now)
        for (mint, token) in zip(missing, batch.tokens) { mint.token = token }
        handout.signatures.add(batch.tokens.count { $0 != nil }, since: began)
        if let fault = batch.fault {
            handout.logger.error("tokens are no longer signed in batches", metadata: ["reason": "\(fault)"])
        }
    }
}
