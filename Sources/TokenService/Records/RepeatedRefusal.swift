import CallerAccess
import HTTPServer

/// The properties by which refusals are equal in the log: the caller and the reason.
package struct RepeatedRefusal: Hashable, Sendable {
    /// The caller that it is counted for.
    enum Caller: Hashable, Sendable {
        case principal(RateLimitKey)
        /// A client's address; for IPv6, the network of one subscriber.
        case network(IPAddress)
        /// All unauthenticated callers on unix sockets.
        case socket
        /// All callers beyond the limit of entries.
        case others
    }

    /// Separately recorded refusals of an unauthenticated caller in an interval: more than the default limit of failures
    /// allows an address in ten seconds.
    private static let unauthenticatedShare = 32

    private(set) var caller: Caller
    let outcome: AuditRecord.Outcome
    /// The stable code of the reason.
    let code: String
    /// One of few sentences: it contains nothing that a client chose.
    let reason: String

    /// Nil for a refusal that is always recorded separately: its caller is authenticated and within the limits.
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

    /// How many of it are recorded separately in an interval.
    var share: Int { outcome == .limited ? 1 : Self.unauthenticatedShare }

    /// The same for all callers beyond the limit of entries.
    var ofOthers: RepeatedRefusal {
        var refusal = self
        refusal.caller = .others
        return refusal
    }
}
