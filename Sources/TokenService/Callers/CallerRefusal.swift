import CallerAccess
import FleetEngineToken

/// Why a caller gets no token: the problem for the client, and the full reason, which only the log and the audit log get.
package final class CallerRefusal: Error {
    package let problem: CallerProblem
    /// One sentence out of few, by which refusals are counted: it holds nothing that a client chose.
    package let reason: String
    private let detail: Detail?
    /// The caller, if authenticated.
    package let principal: Principal?
    /// Can fetch the key that was missing; nil if the refusal is final.
    package let feed: KeySetFeed?
    /// The limit that was exceeded, if one was.
    package let limit: RequestLimits.Limit?
    /// Whether a back end may still accept the caller, since no credentials failed verification.
    let isUndecided: Bool

    package init(
        _ problem: CallerProblem, _ reason: String, _ principal: Principal? = nil, detail: Detail? = nil,
        feed: KeySetFeed? = nil, by limit: RequestLimits.Limit? = nil, isUndecided: Bool = false
    ) {
        (self.problem, self.reason, self.principal) = (problem, reason, principal)
        (self.feed, self.limit, self.isUndecided, self.detail) = (feed, limit, isUndecided, detail)
    }

    /// The same to be kept for operators, as nothing waits for a key any more.
    var withoutFeed: CallerRefusal {
        guard feed != nil else { return self }
        return CallerRefusal(problem, reason, principal, detail: detail, by: limit, isUndecided: isUndecided)
    }

    /// Whether a bearer token was refused, which its issuer's key may still have signed.
    var isOfToken: Bool {
        if case .token = detail { true } else { false }
    }

    /// What a refusal is explained by, put into words only where it is shown.
    package enum Detail: Sendable {
        case token(BearerTokenRefusal)
        case rules([AccessDenial])
    }

    /// The reason with the received value, the expected one and the missing ids, for a refusal that is shown by itself. Ids
    /// are shown as `naming` returns them, or not at all if it is nil.
    package func explanation(
        naming id: ((FleetEngineID) -> String)? = { ReceivedValue.text($0) }, maxBytes: Int = .max
    ) -> String {
        switch detail {
        case nil: reason
        case .token(let refusal): refusal.explanation
        case .rules(let denials): denials.sentences(naming: id, maxBytes: maxBytes)
        }
    }

    /// A refusal after which a back end may still accept the caller.
    package static func undecided(_ problem: CallerProblem, _ reason: String) -> CallerRefusal {
        CallerRefusal(problem, reason, isUndecided: true)
    }
}
