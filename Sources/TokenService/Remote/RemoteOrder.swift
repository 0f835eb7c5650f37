import FleetEngineToken

/// What to sign, and how to cache it.
package struct RemoteOrder: Sendable {
    package let key: TokenKey
    /// A remote minter of the key's profile, or one whose tokens live less long.
    package let minter: TokenMinter
    /// Renders the answer of a signed token at a time in seconds since the epoch.
    package let render: @Sendable (MintedToken, Int64) -> RenderedToken
    /// The latest `exp`, in seconds since the epoch. Only a request with a later bound can have a token with one renewed.
    package let end: Int64

    /// An order without a bound, unless `end` is one.
    package init(
        key: TokenKey, minter: TokenMinter, endingBy end: Int64 = .max,
        render: @escaping @Sendable (MintedToken, Int64) -> RenderedToken
    ) {
        (self.key, self.minter, self.end, self.render) = (key, minter, end, render)
    }

    /// Requests with equal identifiers share one signature.
    struct ID: Hashable {
        let key: TokenKey
        let end: Int64
    }

    var id: ID { ID(key: key, end: end) }

    var isBounded: Bool { end != .max }

    /// The same order without a bound.
    var withoutBound: RemoteOrder { RemoteOrder(key: key, minter: minter, render: render) }

    /// The same with the minter of its kind, as a reload may have changed it; nil if its tokens would get another key.
    func replacingMinter(_ minter: (TokenKind) -> TokenMinter?) -> RemoteOrder? {
        guard let minter = minter(key.claims.kind), minter.isRemote, minter.profile == self.minter.profile else {
            return nil
        }
        return RemoteOrder(key: key, minter: minter, endingBy: end, render: render)
    }

    /// The same if the token may have a narrowed lifetime; nil if the account or its key is another now.
    func replacingNarrowedMinter(_ minter: (TokenKind) -> TokenMinter?) -> RemoteOrder? {
        let lifetime = self.minter.profile.policy.service
        return replacingMinter { kind in minter(kind).flatMap { try? $0.narrowed(to: lifetime) } }
    }

    /// When a token was signed, in seconds since the epoch: `iat` is set back from it.
    func signingTime(of token: SignedTimes) -> Int64 { token.issuedAt + minter.profile.policy.backdate }

    /// The minter of a token that expires at or before the bound. Throws if the bound is too near, which says nothing about
    /// the account.
    func minter(at now: Int64) throws(RemoteSigningError) -> TokenMinter {
        do throws(TokenPolicyError) {
            // Some of the time may have passed since the order was made.
            return isBounded ? try minter.narrowed(to: max(0, end - now)) : minter
        } catch {
            let remedy = Remedy("let callers ask again with credentials that expire later")
            throw RemoteSigningError(reason: error.sentence, retryAfter: nil, remedy)
        }
    }
}

extension RemoteOrder: ExpiringEntry {
    /// What it takes in an array that may be half full, with what `render` captures.
    package var bytes: Int { 2 * MemoryLayout<RemoteOrder>.stride + 128 + key.claims.heapBytes }
}
