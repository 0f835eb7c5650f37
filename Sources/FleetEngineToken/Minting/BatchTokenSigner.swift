/// Signs several messages at once for less than one after the other.
package protocol BatchTokenSigner: TokenSigner {
    /// Whether it does so now.
    var signsBatches: Bool { get }
    /// How many messages are worth a batch.
    var batchSizes: ClosedRange<Int> { get }

    /// Signs messages, each with its own signer's key, at most as many as it can at once.
    func sign(together orders: [BatchOrder]) -> BatchedSignatures
}

extension BatchTokenSigner {
    /// For a library that signs eight at once: that takes as long as two and a half single signatures, however many of the
    /// places are used.
    package static var libraryBatchSizes: ClosedRange<Int> { 3...8 }

    package var batchSizes: ClosedRange<Int> { Self.libraryBatchSizes }
}

/// A message and who signs it.
package struct BatchOrder: Sendable {
    package let signer: any BatchTokenSigner
    package let message: [UInt8]

    package init(signer: any BatchTokenSigner, message: [UInt8]) {
        (self.signer, self.message) = (signer, message)
    }
}

/// The result of a batch. Every signature in it was verified.
package struct BatchedSignatures: Sendable {
    /// In the order of the messages; nil for each that is to be signed alone.
    package let signatures: [[UInt8]?]
    /// Why no further batches are signed, once: a sentence for the operator's log.
    package let fault: String?

    package init(signatures: [[UInt8]?], fault: String? = nil) {
        (self.signatures, self.fault) = (signatures, fault)
    }
}

/// Tokens that are signed at once.
package struct BatchedTokens: Sendable {
    /// In the order in which they were asked for; nil for each that is to be minted alone.
    package let tokens: [MintedToken?]
    /// Why no further batches are signed, once: a sentence for the operator's log.
    package let fault: String?
}

extension TokenMinter {
    /// Whether tokens can be minted together now.
    package var mintsTogether: Bool { batchSigner?.signsBatches ?? false }

    /// How many tokens are worth minting together; one where none are.
    package var batchSizes: ClosedRange<Int> { batchSigner?.batchSizes ?? 1...1 }

    /// Tokens of several minters with these claims; `now` is in seconds since the epoch.
    package static func mint(
        together wanted: [(minter: TokenMinter, claims: PrivateClaims)], at now: Int64
    ) -> BatchedTokens {
        let drafts = wanted.map { TokenDraft($0.minter, $0.claims, at: now) }
        let orders = drafts.compactMap { $0?.order }
        guard let signer = orders.first?.signer else {
            return BatchedTokens(tokens: wanted.map { _ in nil }, fault: nil)
        }
        let batch = signer.sign(together: orders)
        var signatures = batch.signatures.makeIterator()
        let tokens = drafts.map { draft in draft.flatMap { $0.token(signedBy: signatures.next() ?? nil) } }
        return BatchedTokens(tokens: tokens, fault: batch.fault)
    }
}

/// A token that is not signed yet.
private struct TokenDraft {
    let order: BatchOrder
    private let claims: ClaimSet

    /// Nil if it must not be signed, or not in a batch: the error comes when it is minted alone.
    init?(_ minter: TokenMinter, _ privateClaims: PrivateClaims, at now: Int64) {
        guard let signer = minter.batchSigner,
            let claims = try? ClaimSet(privateClaims, policy: minter.profile.policy, at: now)
        else { return nil }
        self.claims = claims
        order = BatchOrder(signer: signer, message: minter.signingInput(claims))
    }

    func token(signedBy signature: [UInt8]?) -> MintedToken? {
        signature.map { TokenMinter.token(order.message, signedBy: $0, claims) }
    }
}
