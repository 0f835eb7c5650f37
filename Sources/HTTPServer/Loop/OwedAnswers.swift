/// What a loop has still to do for answers that were not given in the turn that read their requests.
///
/// Late answers and work go on in the order in which they came. While more work waits, finished answers are sent a few at
/// once, held for a millisecond at most: to wake a client for each costs as much as all else that a token takes beside its
/// signature.
///
/// A class, so that a turn that owes nothing pays for one look at it and no more.
final class OwedAnswers {
    /// A promise that is kept; the stream is 0 where a connection has one request at a time.
    typealias Late = (connection: UInt64, stream: UInt32, answer: @Sendable (ServerTime) -> HTTPAnswer)

    /// As many late answers are taken in one turn: whoever can be answered at once waits no longer than for these.
    static let lateAtOnce = 256
    /// Nanoseconds for which one piece of work is followed by the next before the sockets are looked at again.
    static let workAtOnce: UInt64 = 100_000
    /// As many finished answers wait for others: their clients have something to do while the rest is worked at.
    static let finishedAtOnce = 8
    /// Nanoseconds that a finished answer waits for others.
    static let held: UInt64 = 1_000_000

    // What its own methods do with what is owed calls nobody back, so that nothing else can be touching it.
    /// Whether there is anything to do.
    @exclusivity(unchecked)
    private(set) var isDue = false
    @exclusivity(unchecked)
    private var late = FIFO<Late>()
    @exclusivity(unchecked)
    private var work = FIFO<UInt64>()
    /// Connections that hold bytes of which the poller knows nothing.
    @exclusivity(unchecked)
    private var reading: [UInt64] = []
    /// Connections whose answers wait to be sent together, and since when.
    @exclusivity(unchecked)
    private var finished: [UInt64] = []
    @exclusivity(unchecked)
    private var finishedSince: UInt64 = 0

    /// Puts a late answer at the end of its line.
    func addLate(_ answer: Late) {
        late.append(answer)
        isDue = true
    }

    /// Puts a connection's work at the end of its line.
    func addWork(_ connection: UInt64) {
        work.append(connection)
        isDue = true
    }

    /// A connection has bytes to go on with.
    func addReading(_ connection: UInt64) {
        reading.append(connection)
        isDue = true
    }

    /// A connection's answer can be sent.
    func addFinished(_ connection: UInt64, at now: UInt64) {
        if finished.isEmpty { finishedSince = now }
        finished.append(connection)
        isDue = true
    }

    /// The late answer that waits longest.
    func nextLate() -> Late? { late.popFirst() }

    /// Whether an answer waits for work.
    var hasWork: Bool { !work.isEmpty }

    /// The connection whose work waits longest.
    func nextWork() -> UInt64? { work.popFirst() }

    /// The connections that have bytes to go on with; whoever still has some afterwards is added again.
    func takeReading() -> [UInt64] {
        defer { reading = [] }
        return reading
    }

    /// The finished answers, to be sent now; none while they are worth holding.
    func takeFinished(at now: UInt64) -> [UInt64] {
        let isWorthHolding = finished.count < OwedAnswers.finishedAtOnce && now < finishedSince + OwedAnswers.held
        guard work.isEmpty || !isWorthHolding else { return [] }
        isDue = !work.isEmpty || !late.isEmpty || !reading.isEmpty
        defer { finished = [] }
        return finished
    }
}
