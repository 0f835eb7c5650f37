/// How a connection's requests are answered: at once, after work, or when somebody keeps a promise.
extension Connection {
    /// Does the work that an answer waits for.
    func work(on loop: EventLoop) {
        if machine.handshakes { return handshake(on: loop) }
        if let requests = layers?.requests { return requests.work() }
        guard let work = owedWork.take(), let asked else { return }
        owe(work(loop.time), to: asked, on: loop)
    }

    /// A promise to one of the requests is kept.
    func keepPromise(
        to stream: UInt32, with answer: @Sendable (ServerTime) -> HTTPAnswer, on loop: EventLoop
    ) {
        if let requests = layers?.requests { return requests.keepPromise(to: stream, with: answer) }
        guard let asked else { return }
        owe(answer(loop.time), to: asked, on: loop)
    }

    /// Sends the answer that was owed, and goes on with what is behind its request.
    func giveFinishedAnswer(on loop: EventLoop) {
        if session != nil { return giveFinishedAnswers(on: loop) }
        guard let response = finishedAnswer.take(), let request = asked.take() else { return }
        let behind = input.count - bodyLeft
        let persists = persists(request, behind: behind)
        write(response, request, persists: persists, after: ServerTime.nanoseconds(since: request.began), on: loop)
        settle(persists ? .more : .done(lingers: lingers(request, behind: behind)), on: loop)
    }

    /// Keeps what an answer waits for. One that is at hand by now waits to be sent with others.
    func owe(_ answer: consuming HTTPAnswer, to request: PendingAnswer, on loop: EventLoop) {
        asked = request
        switch consume answer {
        case .now(let response):
            finishedAnswer = response
            loop.queueAnswer(of: self)
        case .afterWork(let work):
            owedWork = work
            loop.queueWork(for: self)
        case .later(let begin): begin(loop.promise(by: self))
        }
    }

    /// Answers what is no request.
    func refuse(_ reason: RequestRejection, isHead: Bool, on loop: EventLoop) {
        let context = ResponseContext(
            isHead: isHead, isVersion10: false, isPersistent: false, requestID: loop.nextRequestID())
        let pending = PendingAnswer(
            method: nil, began: loop.time.monotonic, context: context, leavesBytesUnread: true)
        write(loop.application.refuse(reason), pending, persists: false, on: loop)
    }

    /// A server that drains still answers what the peer has sent behind this request, received or not.
    ///
    /// `behind`: how many bytes are at hand behind the request and its body; negative while a part of that is to come.
    @inline(__always)
    func persists(_ answer: PendingAnswer, behind: Int) -> Bool {
        guard answer.context.isPersistent, !machine.isOverLimit else { return false }
        if !machine.isDraining || behind > 0 || behind + descriptor.receivable > 0 { return true }
        return holdsBytes
    }

    /// A client that asked for the end itself sends nothing more than its body; any other may be sending as we close.
    func lingers(_ answer: PendingAnswer, behind: Int) -> Bool {
        behind < 0 || answer.leavesBytesUnread || machine.isOverLimit || machine.isDraining
    }

    /// Renders an answer into the loop's output, counts it, and tells whoever wants to know. `duration`: the nanoseconds that
    /// it took, where it was not given in its request's turn.
    @inline(__always)
    func write(
        _ response: HTTPResponse, _ answer: PendingAnswer, persists: Bool, after duration: UInt64 = 0,
        on loop: EventLoop
    ) {
        loop.statistics.countAnswer(response.tally, response.status, after: duration)
        var context = answer.context
        context.isPersistent = persists
        loop.output.append(response, context, at: loop.date, givenID: answer.trace?.givenID)
        guard let observe = loop.application.observe else { return }
        observe(AccessRecord(answer, response))
    }

    /// Gives the kernel what it takes; false if a part is left.
    func flush(_ loop: EventLoop) throws(SystemError) -> Bool {
        let rest =
            layers == nil ? try loop.output.send(after: output, to: descriptor) : try sendSecurely(on: loop)
        if !rest.isEmpty || !output.isEmpty { output = rest }
        return rest.isEmpty
    }
}
