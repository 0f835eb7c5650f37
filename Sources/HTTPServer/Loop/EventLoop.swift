import Dispatch
import Glibc

/// One loop: a poller, the connections it watches, their deadlines, and the work that their answers wait for. It runs
/// as one long block on a serial Dispatch queue, sleeps in its poller, and hears other threads through its mailbox: a
/// Dispatch source that watches the poller instead costs each wake-up a second poller and a change of threads.
///
/// A turn looks at the sockets, then does one piece of work. So an answer that is at hand never waits behind more than
/// one signature, and signatures are given in the order in which they were asked for.
///
/// `@unchecked Sendable`: everything but the mailbox, which has a lock, is touched only by the block that `run` is.
final class EventLoop: @unchecked Sendable {
    static let outputAtOnce = 65_536
    private static let mailboxIdentifier = UInt64.max
    private static let firstListenerIdentifier = UInt64.max - 1024
    private static let acceptPause: UInt64 = 100_000_000
    private static let acceptsAtOnce = 64

    let application: HTTPApplication
    let parser: RequestParser
    let receiveBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 16)
    let output = OutputBuffer()
    private(set) var time = ServerTime.now()
    private(set) var date = HTTPDate()

    private let settings: ServerSettings
    private let limiter: ConnectionLimiter
    private let mailbox: Mailbox
    private let poller: Poller
    private var listeners: [ListeningSocket]
    private var table = ConnectionTable()
    private var wheel: DeadlineWheel
    private let owed = OwedAnswers()
    private var requestCount = UInt64.random(in: .min ... .max)
    /// When accepting goes on after descriptors ran out.
    private var acceptsAgainAt: UInt64?
    /// When the operator may be told something again.
    private var tellsAgainAt: UInt64 = 0
    private var drain: DrainWindow?
    private var isStopped = false

    init(
        settings: ServerSettings, application: HTTPApplication, listeners: [ListeningSocket], limiter: ConnectionLimiter
    ) throws(SystemError) {
        self.settings = settings
        self.application = application
        self.listeners = listeners
        self.limiter = limiter
        parser = RequestParser(limits: settings.limits)
        mailbox = try Mailbox()
        poller = try Poller()
        wheel = DeadlineWheel(now: time.monotonic)
        try poller.add(mailbox.descriptor.number, .readable, as: EventLoop.mailboxIdentifier)
        try watchListeners()
    }

    deinit { receiveBuffer.deallocate() }

    /// Tells the loop something from another thread.
    func post(_ message: Mailbox.Message) { mailbox.post(message) }

    /// Turns until it is drained or stopped.
    func run() {
        while !isStopped {
            turn()
        }
        for connection in table.all { close(connection) }
        listeners = []
    }

    private func turn() {
        // A poller that cannot wait cannot serve; the loop ends, and its listeners with it, rather than spin.
        guard let count = try? poller.wait(milliseconds: pollTimeout()) else {
            isStopped = true
            return
        }
        updateTime()
        for index in 0..<count { handle(poller.event(index)) }
        if owed.isDue { payOwed(after: count) }
        passDeadlines()
        if let acceptsAgainAt, time.monotonic >= acceptsAgainAt { acceptAgain() }
        if let drain { advance(drain) }
    }

    /// Takes late answers, does the work that waits longest, and sends what is finished unless it is worth holding.
    private func payOwed(after events: Int) {
        for _ in 0..<OwedAnswers.lateAtOnce {
            guard let late = owed.nextLate() else { break }
            table[late.connection]?.received(late.answer, on: self)
        }
        if let identifier = owed.nextWork(), let connection = table[identifier] {
            if events > 0 { updateTime() }
            connection.work(on: self)
        }
        for identifier in owed.takeFinished(at: time.monotonic) { table[identifier]?.giveFinishedAnswer(on: self) }
    }

    /// Reads the clocks for what comes next.
    private func updateTime() {
        time = .now()
        date.update(to: time.epochSeconds)
    }

    /// How long the poller may sleep, in milliseconds.
    private func pollTimeout() -> Int32 {
        guard !owed.isDue else { return 0 }
        let polls = drain != nil || acceptsAgainAt != nil
        return min(wheel.wait(from: time.monotonic) ?? .max, polls ? 10 : .max, 60_000)
    }

    private func handle(_ event: Poller.Event) {
        if event.identifier >= EventLoop.firstListenerIdentifier {
            guard event.identifier != EventLoop.mailboxIdentifier else { return readMail() }
            let index = Int(event.identifier - EventLoop.firstListenerIdentifier)
            if index < listeners.count { accept(from: listeners[index]) }
            return
        }
        guard let connection = table[event.identifier] else { return }
        // A peer that has ended may have left bytes: to close before they are read would reset the answer.
        if event.isReadable {
            connection.readable(on: self)
        } else if event.isGone {
            close(connection)
        } else if event.isWritable {
            connection.writable(on: self)
        }
    }

    private func readMail() {
        for message in mailbox.takeAll() {
            switch message {
            case .drain: beginDrain()
            case .stop: isStopped = true
            case .answer(let connection, let answer): owed.addLate((connection, answer))
            case .abandoned(let connection):
                tell(.answersAbandoned)
                owed.addLate((connection, nil))
            }
        }
    }
}

// MARK: What connections ask of their loop

extension EventLoop {
    /// A number that tells nothing of how many there were before: a counter, mixed as in SplitMix64.
    func nextRequestID() -> UInt64 {
        requestCount &+= 0x9e37_79b9_7f4a_7c15
        var mixed = requestCount
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// Puts a connection's work at the end of the line.
    func queueWork(for connection: Connection) { owed.addWork(connection.identifier) }

    /// Sends a connection's answer together with others.
    func queueAnswer(of connection: Connection) { owed.addFinished(connection.identifier, at: time.monotonic) }

    /// A promise that the connection will be answered, for somebody else to keep.
    func promise(by connection: Connection) -> LateAnswer {
        LateAnswer(connection: connection.identifier, mailbox: mailbox)
    }

    func watch(_ connection: Connection, _ interest: Interest) {
        do {
            try poller.change(connection.descriptor.number, to: interest, as: connection.identifier)
        } catch {
            close(connection)
        }
    }

    /// Sees to it that the connection is looked at once its deadline is over. One that has moved later is found when the
    /// old slot comes round.
    func schedule(_ connection: Connection) {
        guard connection.machine.deadline != .max else { return }
        guard DeadlineWheel.tick(after: connection.machine.deadline) < connection.scheduledTick else { return }
        connection.scheduledTick = wheel.insert(connection.identifier, deadline: connection.machine.deadline)
    }

    func close(_ connection: Connection) {
        guard table[connection.identifier] === connection else { return }
        table.remove(connection.identifier)
        limiter.closed(connection.peer.countedAddress)
    }

    private func passDeadlines() {
        for entry in wheel.advance(to: time.monotonic) {
            guard let connection = table[entry.identifier], connection.scheduledTick == entry.tick else { continue }
            connection.scheduledTick = .max
            connection.deadlinePassed(on: self)
            schedule(connection)
        }
    }
}

// MARK: Accepting

extension EventLoop {
    private func watchListeners() throws(SystemError) {
        for (index, listener) in listeners.enumerated() {
            let identifier = EventLoop.firstListenerIdentifier + UInt64(index)
            try poller.add(
                listener.descriptor.number, .readable, as: identifier, sharedWakesOne: listener.address.isShared)
        }
    }

    /// Accepts those who wait, but not so many that those who are served have to: the poller tells of the rest again.
    /// Whether nobody waits any more.
    @discardableResult
    private func accept(from listener: ListeningSocket) -> Bool {
        do {
            for _ in 0..<EventLoop.acceptsAtOnce {
                guard let (number, peer) = try listener.accept() else { return true }
                open(Descriptor(takingOwnershipOf: number), peer)
            }
        } catch {
            pauseAccepting(error)
        }
        return false
    }

    private func open(_ descriptor: consuming Descriptor, _ address: IPAddress?) {
        let isProxy = address.map(settings.proxyProtocolFrom.contain) ?? false
        // A proxy's connections are its clients': each is counted once it is known whose it is.
        let counted = isProxy ? nil : address
        let admission = limiter.opened(counted)
        guard admission != .refused else { return tell(.connectionsRefused) }
        var machine = ConnectionMachine(timeouts: settings.timeouts, at: time.monotonic, isAnnounced: !isProxy)
        if drain != nil { machine.drain(at: time.monotonic) }
        let number = descriptor.number
        let peer = ConnectionPeer(address: address, countedAddress: counted, isOverLimit: admission == .overLimit)
        let connection = table.insert(descriptor, peer, machine)
        do {
            try poller.add(number, .readable, as: connection.identifier)
            schedule(connection)
        } catch {
            close(connection)
        }
    }

    /// Counts a proxy's connection among those of the address for which it speaks; nil if they are too many to be told.
    func count(_ source: IPAddress, through proxy: ConnectionPeer) -> ConnectionPeer? {
        let admission = limiter.announced(source)
        guard admission != .refused else {
            tell(.connectionsRefused)
            return nil
        }
        return ConnectionPeer(
            address: source, countedAddress: source, isOverLimit: proxy.isOverLimit || admission == .overLimit)
    }

    /// Tells the operator, at most once a second.
    private func tell(_ notice: ServerNotice) {
        guard time.monotonic >= tellsAgainAt else { return }
        tellsAgainAt = time.monotonic + 1_000_000_000
        application.notice(notice)
    }

    /// Descriptors or memory ran out: those who wait stay in the kernel's queue for a while.
    private func pauseAccepting(_ error: SystemError) {
        guard acceptsAgainAt == nil else { return }
        tell(.acceptingPaused(error.description))
        acceptsAgainAt = time.monotonic + EventLoop.acceptPause
        for listener in listeners { try? poller.remove(listener.descriptor.number) }
    }

    private func acceptAgain() {
        acceptsAgainAt = nil
        do { try watchListeners() } catch { pauseAccepting(error) }
    }
}

// MARK: Draining

extension EventLoop {
    private func beginDrain() {
        guard drain == nil else { return }
        drain = DrainWindow(beganAt: time.monotonic, deadline: time.monotonic + settings.drainTimeout)
        for listener in listeners { listener.refuseNewConnections() }
        for connection in table.all {
            connection.machine.drain(at: time.monotonic)
            schedule(connection)
        }
    }

    /// Goes on accepting what had been promised; then lets go of the address, and ends once nobody is left or the time
    /// is up.
    private func advance(_ drain: DrainWindow) {
        let isAccepting = acceptsAgainAt == nil
        let waiting = listeners.filter { !isAccepting || !accept(from: $0) }
        if drain.handshakesAreDone(at: time.monotonic), waiting.isEmpty { listeners = [] }
        if drain.isOver(at: time.monotonic, connections: table.count, listeners: listeners.count) { isStopped = true }
    }
}
