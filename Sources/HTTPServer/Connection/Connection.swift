/// One connection: bytes in, answers out. It belongs to one loop and is touched on that loop only.
///
/// Between two requests it owns no buffer: bytes are received into the loop's, and only what cannot be dealt with at
/// once (a partial request, an answer that the peer does not take) is kept here.
final class Connection {
    let identifier: UInt64
    let descriptor: Descriptor
    /// What is between the socket and the requests; nil where plain HTTP/1.1 is spoken and nothing else.
    let layers: ConnectionLayers?
    var peer: ConnectionPeer
    // What its own methods do with it calls nobody back, so that nothing else can be touching it.
    @exclusivity(unchecked)
    var machine: ConnectionMachine
    /// The slot of the deadline wheel in which this connection is looked at next.
    var scheduledTick = UInt64.max
    private var interest = Interest.readable
    /// Received and not yet dealt with.
    // As `machine`.
    @exclusivity(unchecked)
    var input: [UInt8] = []
    /// How many bytes `input` must hold before another look at it is worth it, if no line ends before.
    var wantedBytes = 0
    /// What is still to come of the body of a request that is answered; it is dropped as it comes.
    var bodyLeft = 0
    /// Answers that the kernel would not take yet.
    var output: [UInt8] = []
    /// The request whose answer is owed. What that waits for has no one type: values of an enum of all that it may be
    /// are dear to copy.
    var asked: PendingAnswer?
    /// The work that the owed answer waits for, if it is not promised.
    var owedWork: ((ServerTime) -> HTTPAnswer)?
    /// The owed answer, while it waits to be sent with others.
    var finishedAnswer: HTTPResponse?

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

    /// A layer reads as much as it needs, and leaves the rest to be told of again.
    var trigger: Trigger { layers == nil ? .edge : .level }

    // MARK: Events

    func readable(on loop: EventLoop) {
        guard machine.reads else { return watch(.nothing, on: loop) }
        do {
            guard layers == nil else { return try readableThroughLayers(on: loop) }
            try receive(into: loop.receiveBuffer, on: loop)
        } catch {
            loop.close(self)
        }
    }

    /// Receives what is plain on the socket.
    func receive(into buffer: UnsafeMutableRawBufferPointer, on loop: EventLoop) throws(SystemError) {
        // Would block: somebody else's event, or a spurious one.
        guard let count = try descriptor.receive(into: buffer) else { return }
        if count == 0 { return perform(machine.peerEnded(), on: loop) }
        take(count, of: buffer, on: loop)
        // There may be more, which the poller does not tell again.
        if count == buffer.count, trigger == .edge { loop.queueReading(by: self) }
    }

    /// Deals with bytes that were received; inlined, since every request of a plain connection passes here.
    @inline(__always)
    func take(_ count: Int, of buffer: UnsafeMutableRawBufferPointer, on loop: EventLoop) {
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        switch machine.state {
        case .lingering: perform(machine.dropped(count), on: loop)
        case .unannounced: announced(bytes, on: loop)
        default: received(bytes, on: loop)
        }
    }

    func writable(on loop: EventLoop) {
        // A secure transport may have to send before it can go on receiving.
        guard machine.flushes else { return readable(on: loop) }
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

    // MARK: Actions

    /// Gives the kernel what there is, and goes on as far as the bytes at hand have brought us.
    func settle(_ progress: ConnectionMachine.Progress, on loop: EventLoop) {
        do {
            let isFlushed = try flush(loop)
            perform(machine.settle(progress, isFlushed: isFlushed, at: loop.time.monotonic), on: loop)
        } catch {
            loop.close(self)
        }
    }

    /// Does what the machine says.
    func perform(_ action: ConnectionMachine.Action, on loop: EventLoop) {
        switch action {
        case .wait(let interest):
            watch(interest, on: loop)
            loop.schedule(self)
            if layers != nil, interest == .readable { readOn(loop) }
        case .proceed:
            if session != nil { return settleStreams(on: loop) }
            guard input.isEmpty else { return proceed(on: loop) }
            settle(bodyLeft > 0 ? .discarding : .idle, on: loop)
        case .linger:
            input = []
            layers?.end()
            descriptor.shutdownWriting()
            watch(.readable, on: loop)
            loop.schedule(self)
        case .timeOut:
            if session != nil { return streamsTimedOut(on: loop) }
            let reason = machine.isOverLimit ? RequestRejection.tooManyConnections : .headTimeout
            refuse(reason, isHead: loop.parser.isHead(input.span), on: loop)
            settle(.done(lingers: true), on: loop)
        case .close:
            loop.close(self)
        }
    }

    /// Tells the poller only what is new to it.
    func watch(_ wanted: Interest, on loop: EventLoop) {
        guard wanted != interest else { return }
        interest = wanted
        loop.watch(self, wanted)
    }
}

/// Who is at the other end of a connection.
struct ConnectionPeer {
    /// Its own address, or the one that a proxy announced; nil on a unix socket.
    var address: IPAddress?
    /// The address whose connections it is counted among; nil if it only counts in all.
    var countedAddress: IPAddress?
}
