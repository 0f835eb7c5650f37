/// What the company's back end decided about one caller and one token.
package enum BackEndDecision: Hashable, Sendable {
    /// The caller may have it. The back end may name the caller, and limit the token's lifetime in seconds.
    case allowed(principal: String?, lifetime: Int64?)
    /// 401: the caller is not authenticated.
    case unauthenticated
    /// 403: the caller may not have it.
    case denied
    /// A policy says nothing of such a question, so the caller may not have it.
    case undefined
}

/// Why the back end decided nothing: one sentence for the log, with nothing in it of what was sent or received.
package struct BackEndOutage: Error, Hashable, Sendable {
    /// What went wrong and what was expected.
    package let sentence: String
    /// What it says of the back end's health.
    package let health: BackEndHealth

    /// An outage of this sentence.
    package init(_ sentence: String, health: BackEndHealth) {
        (self.sentence, self.health) = (sentence, health)
    }
}

/// What the end of one question says of the back end's health.
package enum BackEndHealth: Hashable, Sendable {
    /// It answers, even if the answer is invalid.
    case answering
    /// It does not answer, or says itself that it cannot.
    case failing
    /// Nothing: it was not asked.
    case unknown
}
