/// A back end's decision and when it came.
package struct TimedDecision: Hashable, Sendable {
    /// What was decided.
    package let decision: BackEndDecision
    /// When the answer came, in seconds since the epoch.
    package let madeAt: Int64

    /// A decision that came at this time.
    package init(_ decision: BackEndDecision, madeAt: Int64) {
        (self.decision, self.madeAt) = (decision, madeAt)
    }

    /// The limit of a token's lifetime; nil if it sets none, or is a refusal.
    package var bound: TokenBound? {
        guard case .allowed(_, let lifetime?) = decision else { return nil }
        return TokenBound(seconds: lifetime, from: madeAt)
    }
}

/// The longest lifetime of a token that a decision allows: so many seconds from the decision, whenever the token is signed.
package struct TokenBound: Hashable, Sendable {
    /// The seconds, as the back end says them.
    package let seconds: Int64
    /// When they end, in seconds since the epoch.
    package let end: Int64

    /// So many seconds from a time in seconds since the epoch; at most 2³¹ of them.
    package init(seconds: Int64, from time: Int64) {
        self.seconds = seconds
        end = time + min(seconds, Int64(Int32.max))
    }

    /// Whole seconds that are left, and never more than there were, even if the clock is set back. One in the last second,
    /// a part of which is left, since a token has no shorter lifetime; nil after it.
    package func left(at now: Int64) -> Int64? { now > end ? nil : max(1, min(seconds, end - now)) }
}
