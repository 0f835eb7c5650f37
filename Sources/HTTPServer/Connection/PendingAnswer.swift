/// A request whose answer is not given yet: what is needed to give it once the request's bytes are gone.
struct PendingAnswer {
    let method: HTTPMethod?
    let began: UInt64
    var context: ResponseContext
    /// The connection ends after this answer for a reason that leaves the peer's bytes unread.
    let leavesBytesUnread: Bool
}

extension PendingAnswer {
    /// The answer to a request that was read in this turn.
    init(_ head: RequestHead, requestID: UInt64, began: UInt64) {
        (method, self.began) = (head.method, began)
        context = ResponseContext(
            isHead: head.method == .head, isVersion10: head.isVersion10, isPersistent: head.isPersistent,
            requestID: requestID)
        leavesBytesUnread = head.body == .unread
    }
}
