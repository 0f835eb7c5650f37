/// A request without an answer: what is needed to answer it once the request's bytes are gone.
struct OpenRequest {
    let method: HTTPMethod?
    let began: UInt64
    var context: ResponseContext
    /// Nil if the request carries neither an id nor a trace.
    var trace: RequestTrace?
    /// The connection ends after this answer for a reason that leaves the peer's bytes unread.
    let leavesBytesUnread: Bool

    /// By what the request is known.
    var identity: RequestIdentity { RequestIdentity(number: context.requestID, trace: trace) }
}

extension OpenRequest {
    /// A request that was read in this turn.
    @inline(__always)
    init(_ head: RequestHead, requestID: UInt64, began: UInt64) {
        (method, self.began) = (head.method, began)
        context = ResponseContext(
            isHead: head.method == .head, isVersion10: head.isVersion10, isPersistent: head.isPersistent,
            requestID: requestID)
        leavesBytesUnread = head.body == .unread
    }

    /// One that is refused before it was read.
    init(refusedWithID requestID: UInt64, isHead: Bool, isPersistent: Bool, began: UInt64) {
        (method, self.began) = (nil, began)
        context = ResponseContext(
            isHead: isHead, isVersion10: false, isPersistent: isPersistent, requestID: requestID)
        leavesBytesUnread = true
    }

    /// Keeps the request's id and trace, and gives them to the application. Rare, and so not inlined.
    @inline(never)
    mutating func follow(_ request: inout HTTPRequest, takesID: (String) -> Bool) {
        trace = RequestTrace(request, takesID: takesID)
        request.trace = trace
    }
}

extension AccessRecord {
    /// The record of an answer that is on its way now.
    init(_ request: OpenRequest, _ response: HTTPResponse) {
        self.init(
            method: request.method, status: response.status, bodyBytes: response.body.count,
            duration: ServerTime.nanoseconds(since: request.began), requestID: request.identity.text,
            traceID: request.trace?.parent?.traceID, annotation: response.annotation)
    }
}
