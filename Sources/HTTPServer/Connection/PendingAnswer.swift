/// A request whose answer is not given yet: what is needed to give it once the request's bytes are gone.
struct PendingAnswer {
    let method: HTTPMethod?
    let began: UInt64
    var context: ResponseContext
    /// The connection ends after this answer for a reason that leaves the peer's bytes unread.
    let leavesBytesUnread: Bool
}

/// An answer that a connection owes, and what it waits for.
struct OwedAnswer {
    enum Step {
        /// For its turn to do the work.
        case work((ServerTime) -> HTTPAnswer)
        /// For whoever has promised it.
        case promised
        /// To be sent with others.
        case finished(HTTPResponse)
    }

    let request: PendingAnswer
    let step: Step
}
