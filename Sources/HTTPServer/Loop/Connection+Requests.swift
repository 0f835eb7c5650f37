/// HTTP/1.1: requests that come one after the other, each answered before the next is looked at.
extension Connection {
    /// Answers requests into the loop's output.
    @inline(__always)
    func serveRequests(_ event: ProtocolEvent, on loop: EventLoop) -> ConnectionMachine.Progress? {
        switch event {
        case .received(let bytes): return take(requests: bytes, on: loop)
        case .remaining: return takeRemaining(on: loop)
        case .answersReady: return writeReadyAnswer(on: loop)
        case .timedOut:
            let reason = machine.isOverLimit ? RequestRejection.tooManyConnections : .headTimeout
            refuse(reason, isHead: loop.parser.isHead(input.span), on: loop)
            return .done(lingers: true)
        case .pressed, .draining, .peerEnded: return nil
        }
    }

    /// Answers the requests among bytes that have just come, and keeps the rest.
    private func take(requests bytes: UnsafeRawBufferPointer, on loop: EventLoop) -> ConnectionMachine.Progress {
        guard input.isEmpty else {
            input.append(contentsOf: bytes)
            // The head of a peer that sends byte by byte must not be parsed again for each byte.
            let mayBeWhole = input.count >= wantedBytes || bytes.contains(.lineFeed)
            return mayBeWhole ? takeRemaining(on: loop) : .partial
        }
        let (consumed, progress) = answerRequests(in: bytes, on: loop)
        if consumed < bytes.count { input.append(contentsOf: bytes[consumed...]) }
        return progress
    }

    /// Goes on with what is left of earlier bytes.
    private func takeRemaining(on loop: EventLoop) -> ConnectionMachine.Progress {
        let bytes = input
        let (consumed, progress) = bytes.withUnsafeBytes { answerRequests(in: $0, on: loop) }
        input = consumed == bytes.count ? [] : Array(bytes[consumed...])
        return progress
    }

    /// Answers requests until the bytes, or what can be done with them now, come to an end.
    private func answerRequests(
        in bytes: UnsafeRawBufferPointer, on loop: EventLoop
    ) -> (consumed: Int, progress: ConnectionMachine.Progress) {
        var consumed = dropBody(bytes.count)
        while consumed < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[consumed...])
            switch loop.parser.parse(Span(_unsafeBytes: rest)) {
            case .incomplete:
                wantedBytes = loop.parser.nextLook(at: Span(_unsafeBytes: rest))
                return (consumed, .partial)
            case .rejection(let reason):
                refuse(reason, isHead: loop.parser.isHead(Span(_unsafeBytes: rest)), on: loop)
                return (bytes.count, .done(lingers: true))
            case .request(let head):
                let progress = answerRequest(head, in: rest, on: loop)
                consumed += head.length
                consumed += dropBody(bytes.count - consumed)
                guard progress == .idle else { return (consumed, progress) }
                // A peer that pipelines without reading is answered no further than this.
                if loop.output.count > EventLoop.outputAtOnce { return (consumed, .more) }
            }
        }
        return (consumed, bodyLeft > 0 ? .discarding : .idle)
    }

    /// How many of the bytes belong to an answered request's body.
    private func dropBody(_ available: Int) -> Int {
        let dropped = min(bodyLeft, available)
        bodyLeft -= dropped
        return dropped
    }

    private func answerRequest(
        _ head: RequestHead, in bytes: UnsafeRawBufferPointer, on loop: EventLoop
    ) -> ConnectionMachine.Progress {
        machine.requestBegan()
        if case .discarded(let count) = head.body { bodyLeft = count }
        guard let answered = answer(head, in: bytes, of: 0, on: loop) else { return .working }
        let following = bytes.count - head.length - bodyLeft
        return write(answered.response, to: answered.request, following: following, on: loop)
    }

    /// Writes an answer that had to wait.
    private func writeReadyAnswer(on loop: EventLoop) -> ConnectionMachine.Progress? {
        guard let ready = pending.takeReady().first else { return nil }
        let duration = ServerTime.nanoseconds(since: ready.request.began)
        let progress = write(
            ready.response, to: ready.request, following: input.count - bodyLeft, after: duration, on: loop)
        return progress == .idle ? .more : progress
    }

    /// Writes an answer; whether the connection goes on after it. `following`: how many bytes came after the request
    /// and its body; negative while a part of that is to come.
    @inline(__always)
    private func write(
        _ response: HTTPResponse, to request: OpenRequest, following: Int, after duration: UInt64 = 0,
        on loop: EventLoop
    ) -> ConnectionMachine.Progress {
        let persists = persists(request, following: following)
        write(response, to: request, persists: persists, after: duration, on: loop)
        return persists ? .idle : .done(lingers: lingers(request, following: following))
    }

    /// Renders an answer into the loop's output.
    @inline(__always)
    private func write(
        _ response: HTTPResponse, to request: OpenRequest, persists: Bool, after duration: UInt64 = 0,
        on loop: EventLoop
    ) {
        var context = request.context
        context.isPersistent = persists
        loop.output.append(response, context, at: loop.stamps.date, givenID: request.trace?.givenID)
        record(response, to: request, after: duration, on: loop)
    }

    /// Answers what is not a request.
    func refuse(_ reason: RequestRejection, isHead: Bool, on loop: EventLoop) {
        let request = OpenRequest(
            refusedWithID: loop.stamps.nextRequestID(), isHead: isHead, isPersistent: false, began: loop.time.monotonic)
        write(loop.application.refuse(reason), to: request, persists: false, on: loop)
    }

    /// A server that drains still answers what the peer has sent after this request, received or not.
    @inline(__always)
    private func persists(_ request: OpenRequest, following: Int) -> Bool {
        guard request.context.isPersistent, !machine.isOverLimit else { return false }
        if !machine.isDraining || following > 0 || following + descriptor.receivable > 0 { return true }
        return layers?.holdsBytes ?? false
    }

    /// A client that asked for the end itself sends nothing more than its body; any other may be sending as we close.
    private func lingers(_ request: OpenRequest, following: Int) -> Bool {
        following < 0 || request.leavesBytesUnread || machine.isOverLimit || machine.isDraining
    }
}

/// A request without an answer: what is needed to answer it once the request's bytes are gone.
struct OpenRequest {
    let method: HTTPMethod?
    let began: UInt64
    let headBytes: Int
    var context: ResponseContext
    /// Nil if the request carries neither an id nor a trace.
    var trace: RequestTrace?
    /// What the application adds to the answer's headers.
    var headers: HTTPFields?
    /// The connection ends after this answer for a reason that leaves the peer's bytes unread.
    let leavesBytesUnread: Bool

    /// By what the request is known.
    var identity: RequestIdentity { RequestIdentity(number: context.requestID, trace: trace) }
}

extension OpenRequest {
    /// A request that was read in this turn.
    @inline(__always)
    init(_ head: RequestHead, requestID: UInt64, headers: HTTPFields?, began: UInt64) {
        (method, self.began, headBytes, self.headers) = (head.method, began, head.length, headers)
        context = ResponseContext(
            isHead: head.method == .head, isVersion10: head.isVersion10, isPersistent: head.isPersistent,
            requestID: requestID)
        leavesBytesUnread = head.body == .unread
    }

    /// One that is refused before it was read.
    init(refusedWithID requestID: UInt64, isHead: Bool, isPersistent: Bool, began: UInt64) {
        (method, self.began, headBytes) = (nil, began, 0)
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
    init(_ request: borrowing OpenRequest, _ response: borrowing HTTPResponse) {
        self.init(
            method: request.method, status: response.status, bodyBytes: response.content.count,
            duration: ServerTime.nanoseconds(since: request.began), requestID: request.identity.ownText,
            clientRequestID: request.identity.givenID, traceID: request.trace?.parent?.traceID,
            annotation: response.annotation)
    }
}
