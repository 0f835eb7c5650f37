/// One connection: bytes in, answers out. It belongs to one loop and is touched on that loop only.
///
/// Every event takes the same way: its bytes are served by the protocol that is spoken (`serve`), the answers are sent
/// (`settle`), the machine names the next action, and `perform` does it, until the action is to wait or to close.
///
/// Between two requests it owns no buffer: bytes are received into the loop's, and only what cannot be dealt with at
/// once (a partial request, an answer that the peer does not take) is kept here.
final class Connection {
    let identifier: UInt64
    let descriptor: Descriptor
    /// What is between the socket and the requests; nil where plain HTTP/1.1 is spoken and nothing else.
    let layers: ConnectionLayers?
    var peer: ConnectionPeer
    var machine: ConnectionMachine
    /// The slot of the deadline wheel in which this connection is looked at next.
    var scheduledTick = UInt64.max
    private var interest = Interest.readable
    /// Whether it waits in the loop's line to be read.
    var isInLine = false
    /// Whether the poller has reported the peer's end, which it does once, maybe together with what came before it.
    var peerHasEnded = false
    /// Received and not yet dealt with.
    // Loop thread only; skips a runtime check, which costs 160 of a request's 5,660 instructions.
    @exclusivity(unchecked)
    var input: [UInt8] = []
    /// How many bytes `input` must hold before it is parsed again, if no line ends before.
    var wantedBytes = 0
    /// Bytes still to come of the body of a request that is answered; they are dropped as they come.
    var bodyLeft = 0
    /// Answers that the kernel would not take yet.
    var output: [UInt8] = []
    /// The account of its address, and the bytes that it is charged there (`EventLoop.account`).
    var account: MemoryAccount?
    var charged = 0
    /// Bytes of the kernel's queues, and the deadline, as the last sweep found them.
    var swept: (queued: Int, deadline: UInt64) = (0, 0)
    /// The requests whose answers come later.
    var pending = PendingAnswers()

    init(
        identifier: UInt64, descriptor: consuming Descriptor, layers: ConnectionLayers?, peer: ConnectionPeer,
        machine: ConnectionMachine
    ) {
        self.identifier = identifier
        self.descriptor = descriptor
        self.layers = layers
        self.peer = peer
        self.machine = machine
    }

    /// A layer reads as much as it needs, and the poller reports the rest again.
    var trigger: Trigger { layers == nil ? .edge : .level }

    // MARK: Events

    func readable(on loop: EventLoop) {
        guard machine.reads else {
            // The peer's end may come while it still takes answers.
            return machine.flushes ? () : watch(.nothing, on: loop)
        }
        handle(on: loop) { () throws(SystemError) in
            guard let layers else { return try receive(into: loop.receiveBuffer, on: loop) }
            return try receive(through: layers, on: loop)
        }
    }

    func writable(on loop: EventLoop) {
        // A secure transport may have to send before it can go on receiving.
        guard machine.flushes else { return readable(on: loop) }
        handle(on: loop) { () throws(SystemError) in
            machine.flushed(all: try flush(isLast: false, loop), at: loop.time.monotonic)
        }
    }

    /// Both sides have ended, or the peer reset the connection.
    func gone(hasFailed: Bool, on loop: EventLoop) {
        if machine.waitsForEnd, !hasFailed, !descriptor.isTaken { return }
        loop.close(self)
    }

    func deadlinePassed(on loop: EventLoop) {
        if loop.time.monotonic >= machine.deadline { tellOfCutHeader(on: loop) }
        handle(on: loop) { () throws(SystemError) in
            dropping(machine.deadlinePassed(at: loop.time.monotonic, isTaken: descriptor.isTaken))
        }
    }

    /// Answers of pending requests are ready.
    func sendReadyAnswers(on loop: EventLoop) {
        handle(on: loop) { () throws(SystemError) in try settle(serve(.answersReady, on: loop), on: loop) }
    }

    /// The server ends.
    func drain(on loop: EventLoop) {
        machine.drain(at: loop.time.monotonic)
        loop.schedule(self)
        handle(on: loop) { () throws(SystemError) in try settle(serve(.draining, on: loop), on: loop) }
    }

    /// From an event to the wait for the next one. `event` returns the first action; nil if nothing has changed.
    @inline(__always)
    func handle(on loop: EventLoop, _ event: () throws(SystemError) -> ConnectionMachine.Action?) {
        do throws(SystemError) {
            if let action = try event() { try perform(action, on: loop) }
        } catch {
            loop.drop(self)
        }
    }

    // MARK: Bytes

    /// Receives what is plain on the socket.
    func receive(
        into buffer: UnsafeMutableRawBufferPointer, on loop: EventLoop
    ) throws(SystemError) -> ConnectionMachine.Action? {
        // Would block: the event was another connection's, or a spurious one.
        guard let count = try descriptor.receive(into: buffer) else { return nil }
        if count == 0 { return try peerEnded(on: loop) }
        // There may be more, or the end, which the poller does not report again.
        if trigger == .edge, count == buffer.count || peerHasEnded { loop.queueReading(by: self) }
        return try take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), on: loop)
    }

    /// If the peer's time is up, drops what it has not taken.
    private func dropping(_ action: ConnectionMachine.Action) -> ConnectionMachine.Action {
        if action == .close { descriptor.dropUntaken() }
        return action
    }

    /// A proxy that says nothing only looks whether the server is there.
    private func tellOfCutHeader(on loop: EventLoop) {
        guard case .unannounced = machine.state, !input.isEmpty else { return }
        loop.tellOfClient(.proxyHeaderRefused(peer.address, isMissing: false))
    }

    /// The peer has ended its side. Streams are still answered, and a session says how far it came. Over HTTP/1.1 nothing is
    /// received while an answer is pending, so that the end comes after it.
    func peerEnded(on loop: EventLoop) throws(SystemError) -> ConnectionMachine.Action? {
        guard machine.streams else { return peerLost(on: loop) }
        return try settle(serve(.peerEnded, on: loop), on: loop)
    }

    /// Nothing more can be received, nor answered.
    func peerLost(on loop: EventLoop) -> ConnectionMachine.Action {
        tellOfCutHeader(on: loop)
        return machine.peerEnded(at: loop.time.monotonic, isTaken: descriptor.isTaken)
    }

    /// Deals with bytes that were received; inlined, since every request of a plain connection passes here.
    @inline(__always)
    func take(
        _ bytes: UnsafeRawBufferPointer, on loop: EventLoop
    ) throws(SystemError) -> ConnectionMachine.Action? {
        switch machine.state {
        case .lingering: dropping(machine.dropped(bytes.count))
        case .unannounced: takeProxyHeader(bytes, on: loop)
        default: try settle(serve(.received(bytes), on: loop), on: loop)
        }
    }

    /// What a protocol has to deal with.
    enum ProtocolEvent {
        case received(UnsafeRawBufferPointer)
        /// Earlier bytes may hold whole requests, or an earlier answer may be followed by more.
        case remaining
        case answersReady
        case timedOut
        /// Memory is short: what waits for the peer for longer than so many nanoseconds ends.
        case pressed(UInt64)
        case draining
        case peerEnded
    }

    /// The one place where protocols differ: requests among the bytes are answered, one after the other or as streams.
    /// How far that has come; nil if there is nothing to send.
    @inline(__always)
    func serve(_ event: ProtocolEvent, on loop: EventLoop) -> ConnectionMachine.Progress? {
        guard let layers else { return serveRequests(event, on: loop) }
        return switch layers.spoken {
        case .requests: serveRequests(event, on: loop)
        case .streams(let session, let requests): serveStreams(event, session, requests)
        case .unknown: recognise(event, layers, on: loop)
        }
    }

    // MARK: Answers

    /// The one place where a request becomes an answer, whichever protocol it came by; nil if the answer comes later.
    @inline(__always)
    func answer(
        _ head: RequestHead, in bytes: UnsafeRawBufferPointer, of stream: UInt32, on loop: EventLoop
    ) -> (request: OpenRequest, response: HTTPResponse)? {
        let requestID = loop.stamps.nextRequestID()
        var request = HTTPRequest(
            bytes: bytes, head: head, peer: peer.address, client: layers, requestID: requestID)
        request.dropFromPath(loop.application.pathPrefix)
        let headers = loop.application.headers?(request)
        var open = OpenRequest(head, requestID: requestID, headers: headers, began: loop.time.monotonic)
        if head.isTraced { open.follow(&request, takesID: loop.settings.takesRequestID) }
        if machine.isOverLimit, !loop.application.isExemptFromLimits(request) {
            return (consume open, loop.application.refuse(.tooManyConnections).adding(headers))
        }
        // Taken apart at once: a copy of the whole would count each of its parts.
        switch loop.application.respond(request, loop.time) {
        case .now(let response): return (consume open, response.adding(headers))
        case .afterWork(let shared, let work): hold(open, of: stream, sharing: shared, afterWork: work, on: loop)
        case .later(let begin): hold(open, of: stream, forPromise: begin, on: loop)
        }
        return nil
    }

    /// Counts an answer that is on its way, and reports it for the access log. `duration`: the nanoseconds that it
    /// took; 0 if it was given in its request's turn.
    @inline(__always)
    func record(
        _ response: borrowing HTTPResponse, to request: borrowing OpenRequest, after duration: UInt64,
        isOfStream: Bool = false, on loop: EventLoop
    ) {
        loop.statistics.countAnswer(response.tally, response.status, after: duration, isOfStream: isOfStream)
        guard let observe = loop.application.observe else { return }
        observe(AccessRecord(request, response))
    }

    // MARK: Actions

    /// Gives the kernel what there is; what follows from that and from how far the bytes have brought us.
    @inline(__always)
    func settle(
        _ progress: ConnectionMachine.Progress?, on loop: EventLoop
    ) throws(SystemError) -> ConnectionMachine.Action? {
        guard let progress else { return nil }
        let isFlushed = try flush(isLast: progress.isLast, loop)
        return machine.settle(progress, isFlushed: isFlushed, at: loop.time.monotonic)
    }

    /// Does what the machine says, until it says to wait or to close.
    private func perform(_ first: ConnectionMachine.Action, on loop: EventLoop) throws(SystemError) {
        var next: ConnectionMachine.Action? = first
        while let action = next {
            switch action {
            case .wait(let interest): return wait(for: interest, on: loop)
            case .proceed: next = try settle(serve(.remaining, on: loop), on: loop)
            case .timeOut: next = try settle(serve(.timedOut, on: loop), on: loop)
            case .finish: next = machine.finish(isTaken: descriptor.isTaken, at: loop.time.monotonic)
            case .linger: return linger(on: loop)
            case .close: return loop.close(self)
            }
        }
    }

    private func wait(for interest: Interest, on loop: EventLoop) {
        watch(interest, on: loop)
        loop.schedule(self)
        if layers != nil || !machine.isIdle || charged != MemoryFootprint.connection { loop.account(for: self) }
        // The poller does not know of bytes that the transport holds.
        if let layers, interest == .readable, layers.holdsBytes { loop.queueReading(by: self) }
    }

    private func linger(on loop: EventLoop) {
        input = []
        end()
        descriptor.shutdownWriting()
        watch(machine.interest, on: loop)
        loop.schedule(self)
        loop.account(for: self)
    }

    /// Releases what answers need: none is given from now on.
    func end() {
        layers?.end()
        pending = PendingAnswers()
    }

    /// Tells the poller only what is new to it.
    func watch(_ wanted: Interest, on loop: EventLoop) {
        guard wanted != interest else { return }
        interest = wanted
        loop.watch(self, wanted)
    }

    /// Gives the kernel what it takes; false if a part is left. `isLast`: the connection ends after it.
    private func flush(isLast: Bool, _ loop: EventLoop) throws(SystemError) -> Bool {
        loop.shedder.sweep.sent(loop.output.count)
        let rest =
            layers == nil
            ? try loop.output.send(after: output, to: descriptor) : try sendSecurely(isLast: isLast, on: loop)
        if !rest.isEmpty || !output.isEmpty { output = rest }
        return rest.isEmpty
    }
}

/// Who is at the other end of a connection.
struct ConnectionPeer {
    /// Its own address, or the one that a proxy announced; nil on a unix socket.
    var address: IPAddress?
    /// The address whose connections it is counted among; nil if it only counts in all.
    var countedAddress: IPAddress?
}
