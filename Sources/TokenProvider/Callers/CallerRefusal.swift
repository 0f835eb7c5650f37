import CallerAccess

/// Why a caller gets no token: what the client is told, and the whole reason, which is for the log and the audit alone.
struct CallerRefusal: Error {
    let problem: CallerProblem
    /// One sentence, with nothing of the credentials in it.
    let reason: String
    /// Who was refused, where that was proved.
    let principal: Principal?
    /// What may bring a key without which nobody can tell; nil if the refusal is final.
    var feed: KeySetFeed?

    init(_ problem: CallerProblem, _ reason: String, _ principal: Principal? = nil) {
        (self.problem, self.reason, self.principal) = (problem, reason, principal)
    }
}
