/// One connection: bytes in, answers out. It belongs to one loop and is touched on that loop only.
///
/// Between two requests it owns no buffer: bytes are received into the loop's, and only what cannot be dealt with at
/// once (a partial request, an answer that the peer does not take) is kept here.
final class Connection {
    /// Bytes after which a head is looked at again although no line has ended: a limit may have been passed.
    private static let parseStride = 4096

    let identifier: UInt64
    let descriptor: Descriptor
    let peer: PeerAddress?
    /// Whether it was one too many: it is told so, unless what it asks for is exempt.
    let isOverLimit: Bool
    var machine: ConnectionMachine
    /// The slot of the deadline wheel in which this connection is looked at next.
    var scheduledTick = UInt64.max
    private var interest = Interest.readable
    /// Received and not yet dealt with.
    private var input: [UInt8] = []
    /// How many bytes `input` must hold before another look at it is worth it, if no line ends before.
    private var wantedBytes = 0
    /// What is still to come of the body of a request that is answered; it is dropped as it comes.
    private var bodyLeft = 0
    /// Answers that the kernel would not take yet.
    private var output: [UInt8] = []
    private var pending: (answer: PendingAnswer, work: (ServerTime) -> HTTPResponse)?
    private var worked: (answer: PendingAnswer, response: HTTPResponse)?

    init(
        identifier: UInt64, descriptor: consuming Descriptor, peer: PeerAddress?, isOverLimit: Bool,
        machine: ConnectionMachine
    ) {
        self.identifier = identifier
        self.descriptor = descriptor
        self.peer = peer
        self.isOverLimit = isOverLimit
        self.machine = machine
    }

    // MARK: Events

    func readable(on loop: EventLoop) {
        guard machine.reads else { return change(.nothing, on: loop) }
        do {
            // Would block: somebody else's event, or a spurious one.
            guard let count = try descriptor.receive(into: loop.receiveBuffer) else { return }
            if count == 0 { return perform(machine.peerEnded(), on: loop) }
            if case .lingering = machine.state { return perform(machine.dropped(count), on: loop) }
            received(UnsafeRawBufferPointer(rebasing: loop.receiveBuffer[..<count]), on: loop)
        } catch {
            loop.close(self)
        }
    }

    func writable(on loop: EventLoop) {
        do {
            let isFlushed = try flush(loop)
            perform(machine.flushed(all: isFlushed, at: loop.time.monotonic), on: loop)
        } catch {
            loop.close(self)
        }
    }

    func deadlinePassed(on loop: EventLoop) {
        perform(machine.deadlinePassed(at: loop.time.monotonic), on: loop)
    }

    /// Does the work that an answer waits for.
    func work(on loop: EventLoop) {
        guard let (answer, work) = pending else { return }
        pending = nil
        worked = (answer, work(loop.time))
    }

    /// Answers with what the work came to.
    func giveWorkedAnswer(on loop: EventLoop) {
        guard let (answer, response) = worked else { return }
        worked = nil
        let persists = persists(answer, hasMore: !input.isEmpty)
        write(response, answer, persists: persists, on: loop)
        settle(persists ? .more : .done(lingers: lingers(answer)), on: loop)
    }

    // MARK: Requests

    private func received(_ bytes: UnsafeRawBufferPointer, on loop: EventLoop) {
        guard input.isEmpty else {
            input.append(contentsOf: bytes)
            // A peer that sends byte by byte must not have its head parsed anew for each.
            let isWorthALook = input.count >= wantedBytes || bytes.contains(.lineFeed)
            return isWorthALook ? proceed(on: loop) : settle(.partial, on: loop)
        }
        let (consumed, progress) = answerRequests(in: bytes, on: loop)
        if consumed < bytes.count { input.append(contentsOf: bytes[consumed...]) }
        settle(progress, on: loop)
    }

    /// Goes on with what is left of earlier bytes.
    private func proceed(on loop: EventLoop) {
        let bytes = input
        let (consumed, progress) = bytes.withUnsafeBytes { answerRequests(in: $0, on: loop) }
        input = consumed == bytes.count ? [] : Array(bytes[consumed...])
        settle(progress, on: loop)
    }

    /// Answers requests into the loop's output until the bytes, or what can be done with them now, come to an end.
    private func answerRequests(
        in bytes: UnsafeRawBufferPointer, on loop: EventLoop
    ) -> (consumed: Int, progress: ConnectionMachine.Progress) {
        var consumed = dropBody(bytes.count)
        while consumed < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[consumed...])
            switch loop.parser.parse(Span(_unsafeBytes: rest)) {
            case .incomplete:
                wantedBytes = rest.count + Connection.parseStride
                return (consumed, .partial)
            case .rejection(let reason):
                refuse(reason, on: loop)
                return (bytes.count, .done(lingers: true))
            case .request(let head):
                machine.requestBegan()
                let progress = answer(head, in: rest, on: loop)
                consumed += head.length
                consumed += dropBody(bytes.count - consumed)
                guard progress == .idle else { return (consumed, progress) }
                // A peer that pipelines without reading is answered no further than this.
                if loop.output.count > EventLoop.outputAtOnce { return (consumed, .more) }
            }
        }
        return (consumed, bodyLeft > 0 ? .discarding : .idle)
    }

    /// How many of the bytes at hand belong to an answered request's body.
    private func dropBody(_ available: Int) -> Int {
        let dropped = min(bodyLeft, available)
        bodyLeft -= dropped
        return dropped
    }

    private func answer(
        _ head: RequestHead, in bytes: UnsafeRawBufferPointer, on loop: EventLoop
    ) -> ConnectionMachine.Progress {
        let request = HTTPRequest(bytes: bytes, head: head, peer: peer)
        if case .discarded(let count) = head.body { bodyLeft = count }
        let pending = PendingAnswer(
            method: head.method, began: loop.time.monotonic,
            context: ResponseContext(
                isHead: head.method == .head, isVersion10: head.isVersion10,
                isPersistent: head.isPersistent, requestID: loop.nextRequestID()),
            leavesBytesUnread: head.body == .unread)
        if isOverLimit, !loop.application.isExemptFromLimits(request) {
            write(loop.application.refuse(.tooManyConnections), pending, persists: false, on: loop)
            return .done(lingers: true)
        }
        switch loop.application.respond(request, loop.time) {
        case .now(let response):
            let persists = persists(pending, hasMore: bytes.count > head.length + bodyLeft)
            write(response, pending, persists: persists, on: loop)
            return persists ? .idle : .done(lingers: lingers(pending))
        case .afterWork(let work):
            self.pending = (pending, work)
            loop.queueWork(for: self)
            return .working
        }
    }

    private func refuse(_ reason: RequestRejection, on loop: EventLoop) {
        let context = ResponseContext(
            isHead: false, isVersion10: false, isPersistent: false, requestID: loop.nextRequestID())
        let pending = PendingAnswer(
            method: nil, began: loop.time.monotonic, context: context, leavesBytesUnread: true)
        write(loop.application.refuse(reason), pending, persists: false, on: loop)
    }

    // MARK: Answers

    /// A server that drains still answers what the peer has sent behind this request.
    private func persists(_ answer: PendingAnswer, hasMore: Bool) -> Bool {
        answer.context.isPersistent && !isOverLimit && (!machine.isDraining || hasMore)
    }

    /// A client that asked for the end itself sends nothing more; any other may be sending as we close.
    private func lingers(_ answer: PendingAnswer) -> Bool {
        answer.leavesBytesUnread || isOverLimit || machine.isDraining
    }

    private func write(
        _ response: HTTPResponse, _ answer: PendingAnswer, persists: Bool, on loop: EventLoop
    ) {
        var context = answer.context
        context.isPersistent = persists
        loop.output.append(response, context, date: loop.date.bytes)
        guard let observe = loop.application.observe else { return }
        let now = ServerTime.monotonicNow()
        observe(
            AccessRecord(
                method: answer.method, status: response.status, bodyBytes: response.body.count,
                duration: now > answer.began ? now - answer.began : 0, requestID: context.requestIDText,
                annotation: response.annotation))
    }

    /// Gives the kernel what it takes; false if a part is left.
    private func flush(_ loop: EventLoop) throws(SystemError) -> Bool {
        defer { loop.output.removeAll() }
        if !output.isEmpty {
            output.append(contentsOf: loop.output.bytes)
            let bytes = output
            let sent = try Connection.send(bytes, to: descriptor)
            output = sent == bytes.count ? [] : Array(bytes[sent...])
            return output.isEmpty
        }
        guard loop.output.count > 0 else { return true }
        let sent = try descriptor.send(loop.output.bytes) ?? 0
        if sent < loop.output.count { output = Array(loop.output.bytes[sent...]) }
        return output.isEmpty
    }

    private static func send(_ bytes: [UInt8], to descriptor: borrowing Descriptor) throws(SystemError) -> Int {
        var sent: Result<Int, SystemError> = .success(0)
        bytes.withUnsafeBytes { buffer in
            do throws(SystemError) {
                sent = .success(try descriptor.send(buffer) ?? 0)
            } catch {
                sent = .failure(error)
            }
        }
        return try sent.get()
    }

    // MARK: Actions

    private func settle(_ progress: ConnectionMachine.Progress, on loop: EventLoop) {
        do {
            let isFlushed = try flush(loop)
            perform(machine.settle(progress, isFlushed: isFlushed, at: loop.time.monotonic), on: loop)
        } catch {
            loop.close(self)
        }
    }

    private func perform(_ action: ConnectionMachine.Action, on loop: EventLoop) {
        switch action {
        case .wait(let interest):
            change(interest, on: loop)
            loop.schedule(self)
        case .proceed:
            guard input.isEmpty else { return proceed(on: loop) }
            settle(bodyLeft > 0 ? .discarding : .idle, on: loop)
        case .linger:
            input = []
            descriptor.shutdownWriting()
            change(.readable, on: loop)
            loop.schedule(self)
        case .timeOut:
            refuse(.headTimeout, on: loop)
            settle(.done(lingers: true), on: loop)
        case .close:
            loop.close(self)
        }
    }

    /// Tells the poller only what is new to it.
    private func change(_ wanted: Interest, on loop: EventLoop) {
        guard wanted != interest else { return }
        interest = wanted
        loop.watch(self, wanted)
    }
}
