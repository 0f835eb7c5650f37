/// A request whose answer is not given yet: what is needed to give it once the request's bytes are gone.
struct PendingAnswer {
    let method: HTTPMethod?
    let began: UInt64
    var context: ResponseContext
    /// The connection ends after this answer for a reason that leaves the peer's bytes unread.
    let leavesBytesUnread: Bool
}
