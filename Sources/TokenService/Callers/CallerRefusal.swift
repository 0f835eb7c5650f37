import CallerAccess

/// Why a caller gets no token: the problem for the client, and the full reason, which only the log and the audit log get.
package final class CallerRefusal: Error {
    package let problem: CallerProblem
    /// One sentence, without any part of the credentials.
    package let reason: String
    /// The caller, if authenticated.
    package let principal: Principal?
    /// Can fetch the key that was missing; nil if the refusal is final.
    package let feed: KeySetFeed?
    /// The limit that was exceeded, if one was.
    package let limit: RequestLimits.Limit?
    /// Whether a back end may still accept the caller, since no credentials were proven false.
    let isUndecided: Bool

    package init(
        _ problem: CallerProblem, _ reason: String, _ principal: Principal? = nil, feed: KeySetFeed? = nil,
        by limit: RequestLimits.Limit? = nil, isUndecided: Bool = false
    ) {
        (self.problem, self.reason, self.principal) = (problem, reason, principal)
        (self.feed, self.limit, self.isUndecided) = (feed, limit, isUndecided)
    }

    /// A refusal after which a back end may still accept the caller.
    package static func undecided(_ problem: CallerProblem, _ reason: String) -> CallerRefusal {
        CallerRefusal(problem, reason, isUndecided: true)
    }
}
