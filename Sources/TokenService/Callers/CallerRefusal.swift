import CallerAccess

/// Why a caller gets no token: what the client is told, and the whole reason, which is for the log and the audit alone.
package final class CallerRefusal: Error {
    package let problem: CallerProblem
    /// One sentence, with nothing of the credentials in it.
    package let reason: String
    /// Who was refused, where that was proved.
    package let principal: Principal?
    /// What may bring a key without which nobody can tell; nil if the refusal is final.
    package let feed: KeySetFeed?
    /// The limit that was reached; nil if it is not that.
    package let limit: RequestLimits.Limit?
    /// Whether nothing that was shown is disproved, since nobody here knows it: a back end may still be asked about it.
    let leavesOpen: Bool

    package init(
        _ problem: CallerProblem, _ reason: String, _ principal: Principal? = nil, feed: KeySetFeed? = nil,
        by limit: RequestLimits.Limit? = nil, leavesOpen: Bool = false
    ) {
        (self.problem, self.reason, self.principal) = (problem, reason, principal)
        (self.feed, self.limit, self.leavesOpen) = (feed, limit, leavesOpen)
    }

    /// A refusal that leaves it open who is calling.
    package static func open(_ problem: CallerProblem, _ reason: String) -> CallerRefusal {
        CallerRefusal(problem, reason, leavesOpen: true)
    }
}
