import CallerAccess
import FleetEngineToken

/// Why a caller gets no token: what the client is told, and the whole reason, which is for the log and the audit alone.
package final class CallerRefusal: Error {
    package let problem: CallerProblem
    /// One sentence out of few, by which refusals are counted: it holds nothing that a client chose.
    package let reason: String
    private let detail: Detail?
    /// Who was refused, where that was proved.
    package let principal: Principal?
    /// What may bring a key without which nobody can tell; nil if the refusal is final.
    package let feed: KeySetFeed?
    /// The limit that was reached; nil if it is not that.
    package let limit: RequestLimits.Limit?
    /// Whether nothing that was shown is disproved, since nobody here knows it: a back end may still be asked about it.
    let leavesOpen: Bool

    package init(
        _ problem: CallerProblem, _ reason: String, _ principal: Principal? = nil, detail: Detail? = nil,
        feed: KeySetFeed? = nil, by limit: RequestLimits.Limit? = nil, leavesOpen: Bool = false
    ) {
        (self.problem, self.reason, self.principal) = (problem, reason, principal)
        (self.feed, self.limit, self.leavesOpen, self.detail) = (feed, limit, leavesOpen, detail)
    }

    /// What a refusal is explained by, put into words only where it is shown.
    package enum Detail: Sendable {
        case token(BearerTokenRefusal)
        case rules([AccessDenial])
    }

    /// The reason with what was received, what was expected and which ids are missing, for one refusal that is shown by
    /// itself. Ids are shown as `naming` makes them, and not at all if it is nil.
    package func explanation(
        naming id: ((FleetEngineID) -> String)? = { ReceivedValue.text($0) }, maxBytes: Int = .max
    ) -> String {
        switch detail {
        case nil: reason
        case .token(let refusal): refusal.explanation
        case .rules(let denials): denials.sentences(naming: id, maxBytes: maxBytes)
        }
    }

    /// A refusal that leaves it open who is calling.
    package static func open(_ problem: CallerProblem, _ reason: String) -> CallerRefusal {
        CallerRefusal(problem, reason, leavesOpen: true)
    }
}
