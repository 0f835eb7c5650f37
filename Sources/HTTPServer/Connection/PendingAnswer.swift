/// A request whose answer is not given yet: what is needed to give it once the request's bytes are gone.
struct PendingAnswer {
    let method: HTTPMethod?
    let began: UInt64
    var context: ResponseContext
    /// Nil if the request says nothing of how it is followed.
    var trace: RequestTrace?
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

    /// Keeps what the request says of how it is followed, and lets whoever answers it know. Rare, and so kept out of the way.
    @inline(never)
    mutating func follow(_ request: inout HTTPRequest, takesID: (String) -> Bool) {
        trace = RequestTrace(request, takesID: takesID)
        request.trace = trace
    }

    /// By what the request is known.
    var identity: RequestIdentity { RequestIdentity(number: context.requestID, trace: trace) }
}

extension AccessRecord {
    /// The record of an answer that is on its way now.
    init(_ answer: PendingAnswer, _ response: HTTPResponse) {
        self.init(
            method: answer.method, status: response.status, bodyBytes: response.body.count,
            duration: ServerTime.nanoseconds(since: answer.began), requestID: answer.identity.text,
            traceID: answer.trace?.parent?.traceID, annotation: response.annotation)
    }
}
