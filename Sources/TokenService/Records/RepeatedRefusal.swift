import CallerAccess
import HTTPServer

/// A refusal as far as others are the same to whoever reads of them: of one caller, for one reason.
package struct RepeatedRefusal: Hashable, Sendable {
    /// Whom it is counted for.
    enum Caller: Hashable, Sendable {
        /// Somebody who is proved.
        case principal(RateLimitKey)
        /// A client's address; of IPv6 addresses all among which one subscriber chooses.
        case network(IPAddress)
        /// Whoever comes by a unix socket without a proof.
        case socket
        /// All for whom there is no room.
        case others
    }

    /// How many refusals of a stranger stand there one by one in an interval: more than the usual limit of failures lets an
    /// address try in ten seconds.
    private static let strangersShare = 32

    private(set) var caller: Caller
    let outcome: AuditRecord.Outcome
    /// The stable word for the reason.
    let code: String
    /// One sentence out of few: it holds nothing that a client chose.
    let reason: String

    /// Nil for a refusal that always stands for itself: its caller is proved, and within the limits.
    init?(
        _ outcome: AuditRecord.Outcome, _ refusal: (code: String, reason: String), of principal: Principal?,
        from client: IPAddress?
    ) {
        if let key = principal?.limitKey {
            guard outcome == .limited else { return nil }
            caller = .principal(key)
        } else {
            caller = client.map { .network($0.subscriber) } ?? .socket
        }
        (self.outcome, code, reason) = (outcome, refusal.code, refusal.reason)
    }

    /// How many of it stand there one by one in an interval before the others are counted.
    var share: Int { outcome == .limited ? 1 : Self.strangersShare }

    /// The same of all for whom there is no room.
    var ofOthers: RepeatedRefusal {
        var refusal = self
        refusal.caller = .others
        return refusal
    }
}
