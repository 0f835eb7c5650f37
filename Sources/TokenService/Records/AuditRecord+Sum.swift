import AuditLog

extension AuditRecord {
    /// A record of refusals that are told as one: it says no more of them than all have in common.
    package init(_ sum: RefusalTally.Sum) {
        let refusal = sum.refusal
        let peer: String? =
            switch refusal.caller {
            case .network(let address): address.subscriberText
            case .socket: Self.socketPeer
            case .principal, .others: nil
            }
        self.init(refusal.outcome, requestID: nil, peer: peer)
        count = sum.count
        principal = sum.principal.flatMap(Self.named)
        self.refusal = (refusal.code, refusal.reason)
    }
}
