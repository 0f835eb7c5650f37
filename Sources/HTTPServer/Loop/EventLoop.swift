import Concurrency
import Dispatch
import Glibc

/// One loop: a poller, the connections it watches, their deadlines, and the work that their answers wait for. It runs
/// as one long block on a serial Dispatch queue, sleeps in its poller, and gets messages of other threads in its
/// mailbox: a Dispatch source that watches the poller instead costs each wake-up a second poller and a change of
/// threads.
///
/// A turn looks at the sockets, then works for a moment, or for as long as one piece of work takes. So a cached
/// answer never waits for more than one signature. Addresses that wait for signatures take turns, and so do those whose
/// sockets hold more than a turn can read.
///
/// `@unchecked Sendable`: everything but the mailbox, which has a lock, is touched only by the block that `run` is.
final class EventLoop: @unchecked Sendable {
    static let outputAtOnce = KernelQueue.sendBytes
    private static let mailboxIdentifier = UInt64.max
    /// As many events are handled between two looks at the clock.
    private static let eventsAtOnce = 8
    /// So many deadlines of closed connections are kept in any case: they take 128 kB.
    private static let mostDeadlinesOfClosed = 8192
    static let firstListenerIdentifier = UInt64.max - 1024

    private(set) var application: HTTPApplication
    let parser: RequestParser
    let receiveBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 16)
    let output = OutputBuffer()
    var stamps = AnswerStamps()

    private(set) var settings: ServerSettings
    let shared: LoopsShared
    // Loop thread only, and read or changed in one step that calls no other code: skips a runtime check for each request,
    // which costs 330 of its 5,660 instructions.
    @exclusivity(unchecked)
    var shedder = Shedder()
    let mailbox: Mailbox
    /// Makes sessions of the protocol that has several requests at a time; nil if it is not served.
    let sessions: (any StreamSessions)?
    let poller: Poller
    var listeners: LoopListeners
    // As `shedder`: 80 instructions.
    @exclusivity(unchecked)
    var table = ConnectionTable()
    // As `shedder`: 230 instructions.
    @exclusivity(unchecked)
    var wheel: DeadlineWheel
    let pending = PendingWork()
    let statistics = LoopStatistics()
    /// How many more notices the operator gets in this second.
    var notices = NoticeQuotas()
    var ending = LoopEnding()

    init(
        settings: ServerSettings, application: HTTPApplication, listeners: [ListeningSocket], shared: LoopsShared
    ) throws(SystemError) {
        (self.settings, self.application, self.shared) = (settings, application, shared)
        self.listeners = LoopListeners(sockets: listeners)
        parser = RequestParser(limits: settings.limits)
        sessions = settings.streams.map { $0.forLoop(settings) }
        mailbox = try Mailbox()
        poller = try Poller()
        wheel = DeadlineWheel(now: stamps.time.monotonic)
        try poller.add(mailbox.descriptor.number, .readable, as: EventLoop.mailboxIdentifier)
        try watchListeners()
        take(settings)
    }

    deinit { receiveBuffer.deallocate() }

    /// Leaves the loop a message, from any thread.
    func post(_ message: Mailbox.Message) { mailbox.post(message) }

    /// Turns until it is drained or stopped. A drained loop answers every later question whether it turns, so that only
    /// the others are waited for; a loop that was stopped, or could not go on, never answers.
    func run() {
        while !ending.isStopped {
            turn()
        }
        for connection in table.all { close(connection) }
        listeners.sockets = []
        if ending.drain != nil { mailbox.close() }
    }

    private func turn() {
        // A poller that cannot wait cannot serve; the loop ends, and its listeners with it, rather than spin.
        guard let count = try? poller.wait(milliseconds: pollTimeout()) else {
            ending.isStopped = true
            return
        }
        updateTime()
        handleEvents(count)
        if pending.isDue { advancePending(after: count) }
        passDeadlines()
        if isPressed { relieve() }
        if shedder.crowdedPlaces > 0 { relieveAddresses() }
        if shedder.sweep.isDue(at: time.monotonic) {
            sweepConnections()
        } else if count > 0 {
            shedder.sweep.expect(at: time.monotonic)
        }
        if let again = listeners.acceptsAgainAt, time.monotonic >= again { acceptAgain() }
        if let drain = ending.drain { advance(drain) }
    }

    /// Handles what the poller reports. Once that has taken long, connections that can be read get in line; under attack
    /// they do while others wait there.
    private func handleEvents(_ count: Int) {
        var isLate = pending.readingCount > 0 && isPressed
        for index in 0..<count {
            if index % EventLoop.eventsAtOnce == EventLoop.eventsAtOnce - 1, !isLate {
                isLate = ServerTime.nanoseconds(since: time.monotonic) >= readingAtOnce
            }
            handle(poller.event(index), isLate: isLate)
        }
    }

    /// Reads what waits in line, takes late answers, does the work that waits longest, and sends the answers that are
    /// ready unless they are worth holding.
    private func advancePending(after events: Int) {
        if pending.readingCount > 0 { read() }
        for _ in 0..<PendingWork.lateAtOnce {
            guard let late = pending.nextLate() else { break }
            table[late.connection]?.takeLateAnswer(to: late.stream, late.answer, on: self)
        }
        if pending.hasWork { work(after: events) }
        for identifier in pending.takeReady(at: time.monotonic) { table[identifier]?.sendReadyAnswers(on: self) }
    }

    /// Reads each connection in line once, as far as the time goes.
    private func read() {
        let began = MonotonicTime.now()
        for _ in 0..<pending.readingCount {
            guard let connection = pending.nextReading().flatMap({ table[$0] }) else { continue }
            connection.isInLine = false
            connection.readable(on: self)
            guard ServerTime.nanoseconds(since: began) < readingAtOnce else { return }
        }
    }

    private func work(after events: Int) {
        if events > 0 { updateTime() }
        let end = time.monotonic + PendingWork.workAtOnce
        while let next = pending.nextWork() {
            table[next.connection]?.work(for: next.stream, on: self)
            guard MonotonicTime.now() < end else { return }
        }
    }

    /// Reads the clocks for what comes next: each step ends its access before the next, so that no reader is checked.
    private func updateTime() {
        stamps.time = .now()
        stamps.date.update(to: time.epochSeconds)
    }

    /// How long the poller may sleep, in milliseconds.
    private func pollTimeout() -> Int32 {
        guard !pending.isDue, !shedder.closesMore else { return 0 }
        let polls =
            ending.drain != nil || listeners.acceptsAgainAt != nil || isPressed || shedder.crowdedPlaces > 0
        return min(wheel.wait(from: time.monotonic) ?? .max, shedder.sweep.wait, polls ? 10 : .max, 60_000)
    }

    private func handle(_ event: Poller.Event, isLate: Bool) {
        if event.identifier >= EventLoop.firstListenerIdentifier {
            guard event.identifier != EventLoop.mailboxIdentifier else { return readMail() }
            let index = Int(event.identifier - EventLoop.firstListenerIdentifier)
            if index < listeners.sockets.count { accept(from: listeners.sockets[index]) }
            return
        }
        guard let connection = table[event.identifier] else { return }
        // A peer that has ended may have left bytes: to close before they are read would reset the answer.
        if event.isReadable {
            if event.hasEnded { connection.peerHasEnded = true }
            if isLate || connection.isInLine { queueReading(by: connection) } else { connection.readable(on: self) }
        } else if event.isGone {
            connection.gone(hasFailed: event.hasFailed, on: self)
        } else if event.isWritable {
            connection.writable(on: self)
        }
    }

    private func take(_ new: ServerSettings) {
        settings.timeouts = new.timeouts
        limitUntaken()
        settings.proxyProtocolFrom = new.proxyProtocolFrom
        settings.drainTimeout = new.drainTimeout
        settings.maxConnectionsPerAddress = new.maxConnectionsPerAddress
        settings.takesRequestID = new.takesRequestID
        shedder.sweep.take(new.memory, loops: shared.loopCount)
    }

    private func readMail() {
        for message in mailbox.takeAll() {
            switch message {
            case .drain: beginDrain()
            case .stop: ending.isStopped = true
            case .settings(let new): take(new)
            case .application(let new): application = new
            case .turn(let tell): tell()
            case .evicted(let connection): evict(connection)
            case .answer(let connection, let stream, let answer):
                pending.addLate((connection, stream, answer ?? answerAbandoned()))
            }
        }
    }
}

/// What a loop does for its connections.
extension EventLoop {
    /// The clocks as they were when the turn began, or its work.
    var time: ServerTime { stamps.time }

    /// Nanoseconds for which a turn reads; a turn of 256 requests for cached tokens takes half of it. Under attack turns
    /// are short, so that each step of an honest client comes soon.
    private var readingAtOnce: UInt64 { isPressed ? 1_000_000 : 4_000_000 }

    /// Lets a connection read when it is its address's turn, although its socket may have nothing.
    func queueReading(by connection: Connection) {
        guard !connection.isInLine else { return }
        connection.isInLine = true
        pending.addReading(connection.identifier, of: connection.account)
    }

    /// Sends a connection's answers together with those of others.
    func queueAnswers(of connection: Connection) { pending.addReady(connection.identifier, at: time.monotonic) }

    /// A promise that the request of a stream will be answered, by any thread.
    func promise(by connection: Connection, to stream: UInt32, _ life: LateAnswer.Life) -> LateAnswer {
        LateAnswer(to: stream, of: connection.identifier, life, by: mailbox)
    }

    /// The answer where a promise was released without one.
    private func answerAbandoned() -> @Sendable (ServerTime) -> HTTPAnswer {
        tell(.answersAbandoned)
        statistics.count(.answerAbandoned)
        return { [application] _ in .now(application.refuse(.abandoned)) }
    }

    func watch(_ connection: Connection, _ interest: Interest) {
        do {
            try poller.change(
                connection.descriptor.number, to: interest, as: connection.identifier, by: connection.trigger)
        } catch {
            close(connection)
        }
    }

    /// Makes sure that the connection is looked at once its deadline has passed. A deadline that has moved later is
    /// found when the old slot comes round.
    func schedule(_ connection: Connection) {
        guard connection.machine.deadline != .max else { return }
        guard DeadlineWheel.tick(after: connection.machine.deadline) < connection.scheduledTick else { return }
        connection.scheduledTick = wheel.insert(connection.identifier, deadline: connection.machine.deadline)
    }

    func close(_ connection: Connection) {
        guard table[connection.identifier] === connection else { return }
        connection.end()
        // The next connection must not send this one's output.
        output.removeAll()
        table.remove(connection.identifier)
        shared.limiter.closed(place(of: connection), from: connection.peer.countedAddress)
        discharge(connection)
        forgetDeadlines()
    }

    /// Removes deadlines of closed connections once they are the majority: an attack can close thousands a second.
    private func forgetDeadlines() {
        guard wheel.count > 2 * table.count + EventLoop.mostDeadlinesOfClosed else { return }
        wheel.removeAll { table[$0.identifier]?.scheduledTick != $0.tick }
    }

    /// A connection as the limiter knows it.
    func place(of connection: Connection) -> ConnectionPlace {
        ConnectionPlace(connection: connection.identifier, mailbox: mailbox)
    }

    /// Looks at the connections whose slot has come round.
    func passDeadlines() {
        for entry in wheel.advance(to: time.monotonic) {
            guard let connection = table[entry.identifier], connection.scheduledTick == entry.tick else { continue }
            connection.scheduledTick = .max
            connection.deadlinePassed(on: self)
            schedule(connection)
        }
    }
}

/// What all loops of a server share.
struct LoopsShared: Sendable {
    let loopCount: Int
    let limiter: ConnectionLimiter
    let budget: MemoryBudget
}

/// What a loop's answers are stamped with: the time, the date, and a number.
struct AnswerStamps {
    fileprivate(set) var time = ServerTime.now()
    let date = HTTPDate()
    private var requestCount = UInt64.random(in: .min ... .max)

    /// A number that does not reveal how many requests there were before: a counter, mixed as in SplitMix64.
    mutating func nextRequestID() -> UInt64 {
        requestCount &+= 0x9e37_79b9_7f4a_7c15
        var mixed = requestCount
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
