import Concurrency
import Dispatch
import Glibc
import HTTPClient

/// The one thread of a client: gives requests to connections and delivers the answers.
///
/// What happens in one turn is sent together. While there is much to do, turns are two milliseconds apart, so that system
/// calls, records of TLS and changes of threads are shared by several requests; a signature takes fifty.
final class StreamLoop {
    /// From so many requests on, turns wait for more of them.
    private static let manyCalls = 16
    private static let turnTime: Nanoseconds = 2_000_000
    /// So long requests go to the other client, once the server has shown that it does not speak HTTP/2.
    static let otherTime: Nanoseconds = 300_000_000_000

    private let box: CallBox
    private let origin: OutgoingURL
    private let context: ClientTLSContext
    private let detour: Detour
    /// For a connection, whose time is not that of the request that opens it: others wait for it as well.
    private let connectTime: Duration
    private var pool: ConnectionPool
    private var connections: [ClientConnection] = []
    private var waiting = FIFO<StreamCall>()
    private var finished: [(call: StreamCall, outcome: StreamOutcome)] = []
    private var passed: [StreamCall] = []
    /// How many calls have stopped waiting since the box was told.
    private var stopped = 0
    /// No call has an earlier deadline.
    private var earliest = Nanoseconds.max
    private var isLookingUp = false
    /// The system's function blocks.
    private let resolver = DispatchQueue(label: "http2-resolver")
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)

    init(
        _ box: CallBox, to origin: OutgoingURL, _ context: ClientTLSContext, _ limits: ConnectionPool.Limits,
        _ detour: Detour
    ) {
        (self.box, self.origin, self.context, self.detour) = (box, origin, context, detour)
        pool = ConnectionPool(limits)
        connectTime = limits.connectTime
    }

    deinit { buffer.deallocate() }

    /// Runs until the client is shut down.
    func run() {
        while true {
            let now = StreamLoop.now()
            let content = box.take(stopped: stopped)
            stopped = 0
            if content.isClosed { return shutDown(content, at: now) }
            turn(content, at: now)
            wait(since: now)
        }
    }

    /// Delivers what has been answered, and fails all other calls.
    private func shutDown(_ content: CallBox.Content, at now: Nanoseconds) {
        for call in content.calls { queue(call) }
        for connection in connections { settle(connection, at: now) }
        for connection in connections { lose(connection, .shutDown, at: now) }
        failWaiting(.shutDown)
        deliver()
    }

    /// Nanoseconds of the monotonic clock.
    static func now() -> Nanoseconds {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Nanoseconds(time.tv_sec) * 1_000_000_000 + Nanoseconds(time.tv_nsec)
    }

    // MARK: A turn

    private func turn(_ content: CallBox.Content, at now: Nanoseconds) {
        for call in content.calls { queue(call) }
        if let addresses = content.addresses { resolved(addresses, at: now) }
        for connection in connections {
            connection.checkTime(now)
            settle(connection, at: now)
        }
        expire(at: now)
        assign(at: now)
        for connection in connections {
            connection.flush()
            settle(connection, at: now)
        }
        for id in pool.idle(at: now) {
            guard let connection = connections.first(where: { $0.id == id }) else { continue }
            connection.close()
            settle(connection, at: now)
        }
        deliver()
    }

    private func queue(_ call: StreamCall) {
        waiting.append(call)
        earliest = min(earliest, call.deadline)
    }

    /// Takes over what has become of a connection and its calls.
    private func settle(_ connection: ClientConnection, at now: Nanoseconds) {
        if let session = connection.session {
            if let limit = session.limit { pool.allow(limit, on: connection.id, at: now) }
            if session.isDraining { pool.drain(connection.id) }
            let ended = session.takeEnded()
            for _ in 0..<ended.streams { pool.end(on: connection.id, at: now) }
            for (call, outcome) in ended.calls { finish(call, outcome) }
        }
        guard let end = connection.end else { return }
        switch end {
        case .closed: lose(connection, .other(reason: "the connection was closed"), at: now)
        case .failed(let cause): lose(connection, cause, at: now)
        case .otherProtocol:
            detour.begin(until: now + Self.otherTime)
            while let call = nextWaiting() { passed.append(call) }
            lose(connection, .other(reason: "the server does not speak HTTP/2"), at: now)
        }
    }

    /// A connection has ended. Calls that may not have arrived before are sent again.
    private func lose(_ connection: ClientConnection, _ cause: HTTPClientError.Cause, at now: Nanoseconds) {
        let wasOpen = connection.isOpen
        pool.remove(connection.id, at: now)
        connections.removeAll { $0 === connection }
        for call in connection.session?.takeAll() ?? [] {
            let isUntold = call.sentAt > connection.receivedAt && cause != .shutDown
            let isRepeated =
                isUntold && call.deadline > now && call.rewind(for: .lost) && call.request.mayRepeat()
            if isRepeated { requeue(call) } else { finished.append((call, .failed(cause))) }
        }
        // Without another connection, waiting calls would only wait for the same failure.
        if !wasOpen, !pool.isUsable { failWaiting(cause) }
    }

    private func finish(_ call: StreamCall, _ outcome: StreamOutcome) {
        switch outcome {
        case .answered, .failed: finished.append((call, outcome))
        case .refused:
            if call.rewind(for: .refused) { requeue(call) } else { finished.append((call, outcome)) }
        }
    }

    /// A call waits again, whatever the number of others.
    private func requeue(_ call: StreamCall) {
        stopped -= 1
        queue(call)
    }

    private func nextWaiting() -> StreamCall? {
        guard let call = waiting.popFirst() else { return nil }
        stopped += 1
        return call
    }

    private func failWaiting(_ cause: HTTPClientError.Cause) {
        while let call = nextWaiting() { finished.append((call, .failed(cause))) }
    }

    /// Opens connections and gives them the calls that wait.
    private func assign(at now: Nanoseconds) {
        guard !waiting.isEmpty else { return }
        while let id = pool.open(forWaiting: waiting.count, at: now) {
            connections.append(ClientConnection(id, to: origin.host, context, within: connectTime, at: now))
            lookUp()
        }
        while let call = waiting.first, let id = pool.take() {
            guard let session = connections.first(where: { $0.id == id })?.session, session.begin(call, at: now) else {
                pool.end(on: id, at: now)
                pool.drain(id)
                continue
            }
            _ = nextWaiting()
        }
    }

    /// Hands over all results, and then does what follows, which may send further requests.
    private func deliver() {
        let (finished, passed) = (finished, passed)
        (self.finished, self.passed) = ([], [])
        let following = finished.map { call, outcome in
            switch outcome {
            case .answered(let response): call.deliver(response)
            case .failed(let cause, let status): call.fail(cause, status: status)
            case .refused: call.fail(.other(reason: "the server refused the request again and again"))
            }
        }
        for follow in following { follow() }
        for call in passed { call.pass(to: detour.send) }
    }
}

/// Time and waiting.
extension StreamLoop {
    /// Ends the calls whose deadline has passed.
    private func expire(at now: Nanoseconds) {
        guard now >= earliest else { return }
        var late: [StreamCall] = []
        earliest = .max
        waiting.removeAll { call in
            if call.deadline <= now { late.append(call) } else { earliest = min(earliest, call.deadline) }
            return call.deadline <= now
        }
        stopped += late.count
        let phase = pool.hasOpen ? .waiting : connections.first?.phase ?? .waiting
        for call in late { finished.append((call, .failed(.timeout(phase, after: call.request.limits.totalTimeout)))) }
        for connection in connections { expire(connection, at: now) }
        for connection in connections { earliest = min(earliest, connection.session?.earliestDeadline ?? .max) }
    }

    /// A connection that has told nothing since a call was sent may be dead.
    private func expire(_ connection: ClientConnection, at now: Nanoseconds) {
        for call in connection.session?.expire(at: now) ?? [] {
            let limit = call.request.limits.totalTimeout
            finished.append((call, .failed(.timeout(.answering, after: limit))))
            guard call.sentAt > connection.receivedAt else { continue }
            connection.end(.failed(.other(reason: "nothing came for \(limit)")))
        }
    }

    private func lookUp() {
        guard !isLookingUp else { return }
        isLookingUp = true
        resolver.async { [box, origin] in box.post(ServerAddress.lookUp(origin.host, port: origin.port)) }
    }

    private func resolved(_ addresses: [ServerAddress], at now: Nanoseconds) {
        isLookingUp = false
        for connection in connections { connection.connect(to: addresses, at: now) }
    }

    /// Waits until there is something to do, and lets the connections whose sockets are ready go on.
    private func wait(since began: Nanoseconds) {
        if pool.active + waiting.count >= Self.manyCalls { rest(until: began + Self.turnTime) }
        let sleeps = box.beginWait()
        var sockets = SocketWait()
        sockets.add(box.descriptor, isWriting: false)
        let waited = connections.filter { $0.wait != nil }
        for connection in waited {
            if let wait = connection.wait { sockets.add(wait.descriptor, isWriting: wait.isWriting) }
        }
        let holdsBytes = waited.contains(where: \.holdsBytes)
        sockets.wait(sleeps && !holdsBytes ? untilWakeUp(at: StreamLoop.now()) : 0)
        box.endWait(wasWoken: sockets.isReady(0))
        let now = StreamLoop.now()
        for (index, connection) in waited.enumerated() where sockets.isReady(index + 1) || connection.holdsBytes {
            connection.proceed(buffer, at: now)
        }
    }

    private func rest(until end: Nanoseconds) {
        let now = StreamLoop.now()
        guard now < end else { return }
        var time = timespec(tv_sec: 0, tv_nsec: Int(end - now))
        nanosleep(&time, nil)
    }

    private func untilWakeUp(at now: Nanoseconds) -> Nanoseconds {
        let times = connections.compactMap(\.wakeUp) + [pool.nextIdleEnd, pool.nextTry(at: now)].compactMap(\.self)
        let next = min(earliest, times.min() ?? .max)
        return next > now ? min(next - now, 3_600_000_000_000) : 0
    }
}
