/// One connection: bytes in, answers out. It belongs to one loop and is touched on that loop only.
///
/// Between two requests it owns no buffer: bytes are received into the loop's, and only what cannot be dealt with at
/// once (a partial request, an answer that the peer does not take) is kept here.
final class Connection {
    /// Bytes after which a head is looked at again although no line has ended: a limit may have been passed.
    private static let parseStride = 4096

    let identifier: UInt64
    let descriptor: Descriptor
    private(set) var peer: ConnectionPeer
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
    private var owed: OwedAnswer?

    init(
        identifier: UInt64, descriptor: consuming Descriptor, peer: ConnectionPeer, machine: ConnectionMachine
    ) {
        self.identifier = identifier
        self.descriptor = descriptor
        self.peer = peer
        self.machine = machine
    }

    // MARK: Events

    func readable(on loop: EventLoop) {
        guard machine.reads else { return change(.nothing, on: loop) }
        do {
            // Would block: somebody else's event, or a spurious one.
            guard let count = try descriptor.receive(into: loop.receiveBuffer) else { return }
            if count == 0 { return perform(machine.peerEnded(), on: loop) }
            let bytes = UnsafeRawBufferPointer(rebasing: loop.receiveBuffer[..<count])
            switch machine.state {
            case .lingering: perform(machine.dropped(count), on: loop)
            case .unannounced: announced(bytes, on: loop)
            default: received(bytes, on: loop)
            }
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
        guard let owed, case .work(let work) = owed.step else { return }
        owe(work(loop.time), to: owed.request, on: loop)
    }

    /// A promise is kept, or, without an answer, let go.
    func received(_ answer: (@Sendable (ServerTime) -> HTTPAnswer)?, on loop: EventLoop) {
        guard let owed, case .promised = owed.step else { return }
        owe(answer?(loop.time) ?? .now(loop.application.refuse(.abandoned)), to: owed.request, on: loop)
    }

    /// Sends the answer that was owed, and goes on with what is behind its request.
    func giveFinishedAnswer(on loop: EventLoop) {
        guard let owed, case .finished(let response) = owed.step else { return }
        self.owed = nil
        let persists = persists(owed.request, hasMore: !input.isEmpty)
        write(response, owed.request, persists: persists, on: loop)
        settle(persists ? .more : .done(lingers: lingers(owed.request)), on: loop)
    }

    // MARK: Proxies

    /// What a proxy says of whom it speaks for, up to the first request.
    private func announced(_ bytes: UnsafeRawBufferPointer, on loop: EventLoop) {
        input.append(contentsOf: bytes)
        switch ProxyHeader.parse(input.span) {
        case .incomplete: return
        case .malformed: return loop.close(self)
        case .header(let header):
            if let source = header.source {
                guard let peer = loop.count(source, through: peer) else { return loop.close(self) }
                self.peer = peer
            }
            input.removeFirst(header.length)
            perform(.proceed, on: loop)
        }
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
        let requestID = loop.nextRequestID()
        let request = HTTPRequest(bytes: bytes, head: head, peer: peer.address, requestID: requestID)
        if case .discarded(let count) = head.body { bodyLeft = count }
        let pending = PendingAnswer(
            method: head.method, began: loop.time.monotonic,
            context: ResponseContext(
                isHead: head.method == .head, isVersion10: head.isVersion10,
                isPersistent: head.isPersistent, requestID: requestID),
            leavesBytesUnread: head.body == .unread)
        if peer.isOverLimit, !loop.application.isExemptFromLimits(request) {
            write(loop.application.refuse(.tooManyConnections), pending, persists: false, on: loop)
            return .done(lingers: true)
        }
        switch loop.application.respond(request, loop.time) {
        case .now(let response):
            let persists = persists(pending, hasMore: bytes.count > head.length + bodyLeft)
            write(response, pending, persists: persists, on: loop)
            return persists ? .idle : .done(lingers: lingers(pending))
        case let answer:
            owe(answer, to: pending, on: loop)
            return .working
        }
    }

    /// Keeps what an answer waits for. One that is at hand by now waits to be sent with others.
    private func owe(_ answer: HTTPAnswer, to request: PendingAnswer, on loop: EventLoop) {
        switch answer {
        case .now(let response):
            owed = OwedAnswer(request: request, step: .finished(response))
            loop.queueAnswer(of: self)
        case .afterWork(let work):
            owed = OwedAnswer(request: request, step: .work(work))
            loop.queueWork(for: self)
        case .later(let begin):
            owed = OwedAnswer(request: request, step: .promised)
            begin(loop.promise(by: self))
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
        answer.context.isPersistent && !peer.isOverLimit && (!machine.isDraining || hasMore)
    }

    /// A client that asked for the end itself sends nothing more; any other may be sending as we close.
    private func lingers(_ answer: PendingAnswer) -> Bool {
        answer.leavesBytesUnread || peer.isOverLimit || machine.isDraining
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
        let rest = try loop.output.send(after: output, to: descriptor)
        if !rest.isEmpty || !output.isEmpty { output = rest }
        return rest.isEmpty
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
