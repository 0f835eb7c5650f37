/// Signs several messages at once for less than one after the other.
package protocol BatchTokenSigner: TokenSigner {
    /// How many messages are worth a batch now; nil if all are to be signed alone.
    var batchSizes: ClosedRange<Int>? { get }

    /// Signs messages, each with its own signer's key, at most as many as it can at once.
    func sign(together orders: [BatchOrder]) -> BatchedSignatures
}

/// A message and who signs it.
package typealias BatchOrder = (signer: any TokenSigner, message: [UInt8])

/// Verified signatures in the order of the messages, nil for each that is to be signed alone; and why no further batches are
/// signed, once: a sentence for the operator's log.
package typealias BatchedSignatures = (signatures: [[UInt8]?], fault: String?)

extension BatchTokenSigner {
    /// For a library that signs eight at once: that takes as long as two and a half single signatures, however many of the
    /// places are used.
    package static var libraryBatchSizes: ClosedRange<Int> { 3...8 }
}

extension TokenMinter {
    /// How many tokens are worth minting together now; nil if each is to be minted alone.
    package var batchSizes: ClosedRange<Int>? { batchSigner?.batchSizes }

    /// Tokens of several minters with these claims, nil for each that is to be minted alone; and why no further batches are
    /// signed, once. `now` is in seconds since the epoch.
    package static func mint(
        together wanted: [(minter: TokenMinter, claims: PrivateClaims)], at now: Int64
    ) -> (tokens: [MintedToken?], fault: String?) {
        // The error of claims that must not be signed comes when each token is minted alone.
        let claims = try? wanted.map { try ClaimSet($0.claims, policy: $0.minter.profile.policy, at: now) }
        guard let claims, let signer = wanted.first?.minter.batchSigner else { return (wanted.map { _ in nil }, nil) }
        let orders = zip(wanted, claims).map { ($0.minter.signer, $0.minter.signingInput($1)) }
        let (signatures, fault) = signer.sign(together: orders)
        let tokens = zip(zip(orders, claims), signatures).map { signed, signature in
            signature.map { token(signed.0.1, signedBy: $0, signed.1) }
        }
        return (tokens, fault)
    }
}
