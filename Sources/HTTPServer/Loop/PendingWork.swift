import Concurrency

/// What a loop has still to do for answers that were not given in the turn that read their requests.
///
/// Late answers go on in the order in which they came, readings and work in a line for each address. While more work waits, ready
/// answers are sent a few at once, held for a millisecond at most: to wake a client for each costs as much as all else
/// that a token takes beside its signature.
///
/// A class, so that a turn without pending work pays for one look at it and no more.
final class PendingWork {
    /// An answer that was promised and has come; the stream is 0 where a connection has one request at a time.
    typealias Late = (connection: UInt64, stream: UInt32, answer: @Sendable (ServerTime) -> HTTPAnswer)

    /// A connection's stream whose answer or handshake waits for work.
    typealias Work = (connection: UInt64, stream: UInt32)

    /// Gone once the work was done, or its connection or stream has ended.
    private struct Shared { weak var work: (any SharedWork)? }

    /// As many late answers are taken in one turn: a request that can be answered at once waits no longer than for
    /// these.
    static let lateAtOnce = 256
    /// Nanoseconds for which one piece of work is followed by the next before the sockets are looked at again.
    static let workAtOnce: UInt64 = 100_000
    /// As many ready answers wait for others: their clients have something to do while the rest is worked at.
    static let readyAtOnce = 8
    /// Nanoseconds that a ready answer waits for others.
    static let held: UInt64 = 1_000_000

    /// Whether there is anything to do.
    private(set) var isDue = false
    private var late = FIFO<Late>()
    private var work = FairQueue<ObjectIdentifier?, Work>(newAtOnce: 3)
    private var shared = FIFO<Shared>()
    /// Connections to read: the poller does not know of their bytes, or a turn could not read them all.
    private var reading = FairQueue<ObjectIdentifier?, UInt64>(newAtOnce: 3)
    /// Connections whose answers wait to be sent together, and since when.
    private var ready: [UInt64] = []
    private var readySince: UInt64 = 0

    /// Puts a late answer at the end of its line.
    func addLate(_ answer: Late) {
        late.append(answer)
        isDue = true
    }

    /// Puts the work for a connection's stream at the end of its address's line.
    func addWork(
        _ connection: UInt64, _ stream: UInt32, sharing sharedWork: (any SharedWork)? = nil,
        of account: MemoryAccount? = nil
    ) {
        work.append((connection, stream), to: account.map(ObjectIdentifier.init))
        if let sharedWork { shared.append(Shared(work: sharedWork)) }
        isDue = true
    }

    /// Puts a connection that may be read at the end of its address's line.
    func addReading(_ connection: UInt64, of account: MemoryAccount? = nil) {
        reading.append(connection, to: account.map(ObjectIdentifier.init))
        isDue = true
    }

    /// A connection's answers can be sent.
    func addReady(_ connection: UInt64, at now: UInt64) {
        if ready.isEmpty { readySince = now }
        ready.append(connection)
        isDue = true
    }

    /// The late answer that waits longest.
    func nextLate() -> Late? { late.popFirst() }

    /// Whether an answer waits for work.
    var hasWork: Bool { !work.isEmpty }

    /// The work that is the next.
    func nextWork() -> Work? { work.popFirst() }

    /// What can be done together with work whose turn has come, longest waiting first.
    func takeShared(with first: any SharedWork) -> [any SharedWork] {
        var others: [any SharedWork] = []
        while others.count + 1 < first.mostAtOnce, let next = shared.popFirst() {
            if let work = next.work, work !== first { others.append(work) }
        }
        return others
    }

    /// How many connections are in line to be read.
    var readingCount: Int { reading.count }

    /// The connection to read next; one that has more afterwards is added again.
    func nextReading() -> UInt64? { reading.popFirst() }

    /// The connections whose answers are to be sent now; none while they are worth holding.
    func takeReady(at now: UInt64) -> [UInt64] {
        let isWorthHolding = ready.count < PendingWork.readyAtOnce && now < readySince + PendingWork.held
        guard work.isEmpty || !isWorthHolding else { return [] }
        isDue = !work.isEmpty || !late.isEmpty || !reading.isEmpty
        defer { ready = [] }
        return ready
    }
}
