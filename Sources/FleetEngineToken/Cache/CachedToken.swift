import Synchronization

/// A token and its rendered answer, shared by all event loops.
package final class CachedToken: Sendable {
    package let token: MintedToken
    /// The answer's body, rendered by the caller and ready to be written.
    package let rendered: [UInt8]
    /// The format of the rendered answer; the caller defines the numbers.
    package let form: Int
    /// What a log may contain about the token; never the token itself.
    package let annotation: String
    private let recorded = Atomic(false)
    private let asked = Atomic(false)
    /// When it is to be renewed, in seconds since the epoch.
    private let renewal = Atomic(CachedToken.unplanned)

    private static let unplanned = Int64.min
    private static let never = Int64.max

    /// A token with its rendered answer.
    package init(token: MintedToken, rendered: [UInt8], form: Int = 0, annotation: String = "") {
        self.token = token
        self.rendered = rendered
        self.form = form
        self.annotation = annotation
    }

    /// Whether the audit log is known to have a record of this token.
    package var isRecorded: Bool { recorded.load(ordering: .acquiring) }

    /// Marks it as recorded in the audit log.
    package func markRecorded() { recorded.store(true, ordering: .releasing) }

    /// Whether a request has asked for this token.
    package var wasAsked: Bool { asked.load(ordering: .relaxed) }

    /// Remembers that a request has asked for it. Only the first call writes, so event loops do not contend for the memory.
    package func markAsked() {
        if !asked.load(ordering: .relaxed) { asked.store(true, ordering: .relaxed) }
    }
}

/// When a token is renewed in the background: each plan is claimed by one caller.
extension CachedToken {
    /// Whether a time was chosen, or the renewal was claimed.
    package var hasRenewalPlan: Bool { renewal.load(ordering: .relaxed) != Self.unplanned }

    /// Whether its renewal is due and not claimed, or no time was chosen; `now` is in seconds since the epoch.
    package func needsRenewal(at now: Int64) -> Bool { renewal.load(ordering: .relaxed) <= now }

    /// Chooses the time of the renewal, in seconds since the epoch.
    package func planRenewal(at second: Int64) { renewal.store(second, ordering: .releasing) }

    /// True for one caller if `needsRenewal`: it renews the token, or makes another plan.
    package func claimRenewal(at now: Int64) -> Bool {
        let planned = renewal.load(ordering: .acquiring)
        guard planned <= now else { return false }
        return renewal.compareExchange(
            expected: planned, desired: Self.never, ordering: .acquiringAndReleasing
        ).exchanged
    }
}
