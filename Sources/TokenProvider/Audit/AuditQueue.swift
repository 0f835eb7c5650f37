/// The records that wait to be written and those that are being written, in the order they came. Pure: times are handed
/// in, and what is to be done is returned.
struct AuditQueue: Sendable {
    /// Called once with whether the record is durable.
    typealias Completion = @Sendable (Bool) -> Void

    /// A record that somebody waits for.
    private struct Waiter: Sendable {
        let line: [UInt8]
        let completion: Completion
        let deadline: UInt64
    }

    /// What a new record makes necessary.
    enum Admission: Equatable {
        /// There is no room: too many records wait.
        case refused
        /// The writer has to be called, or has been called and not begun yet; the first record's deadline to be watched.
        case admitted(callsWriter: Bool, watches: UInt64?)
    }

    /// What is to be done once records were written or given up.
    struct Settlement: Sendable {
        /// Whom to tell.
        var completions: [Completion]
        /// Whether it can be written now and could not before, or the other way round, or for another reason.
        var isChange: Bool
        /// Whether the writer has to be called once more by and by: without records nothing else would show that writing
        /// is possible again.
        var isRetried = false
        /// The deadline to be watched next.
        var watches: UInt64?
    }

    /// How it is with the records.
    struct Figures: Equatable, Sendable {
        /// How many wait to be durable.
        var waiting = 0
        /// Nanoseconds that the oldest of these has waited.
        var oldest: UInt64 = 0
        /// How many are durable.
        fileprivate(set) var kept = 0
        /// How many were refused or given up, or could not be written.
        fileprivate(set) var lost = 0
    }

    /// Bytes that may wait.
    let capacity: Int
    /// Nanoseconds a record may wait.
    let patience: UInt64
    /// Why nothing can be written; nil while it can.
    private(set) var failure: String?
    private var waiting: [Waiter] = []
    private var waitingBytes = 0
    private var inFlight: [Waiter] = []
    /// How many of those being written are no longer waited for.
    private var expired = 0
    /// How many records never came to the writer, since it took some last.
    private var missed = 0
    private var isWriterCalled = false
    private var isWatched = false
    private var isRetryDue = false
    private var counts = Figures()

    /// A queue without records.
    init(capacity: Int, patience: UInt64) {
        (self.capacity, self.patience) = (capacity, patience)
    }

    /// Takes a record in, unless there is no room or it is longer than a line may be.
    mutating func append(_ line: [UInt8], at now: UInt64, _ completion: @escaping Completion) -> Admission {
        guard waitingBytes + line.count <= capacity, line.count <= AuditLine.maxOpeningBytes else {
            missed += 1
            counts.lost += 1
            return .refused
        }
        waitingBytes += line.count
        waiting.append(Waiter(line: line, completion: completion, deadline: now &+ patience))
        defer { (isWriterCalled, isWatched) = (true, true) }
        return .admitted(callsWriter: !isWriterCalled, watches: isWatched ? nil : now &+ patience)
    }

    /// Everything that waits, for the writer to write now, and how many records were given up before that.
    mutating func take() -> (lines: [[UInt8]], missed: Int) {
        isWriterCalled = false
        inFlight = waiting
        waiting = []
        waiting.reserveCapacity(inFlight.count)
        defer { (waitingBytes, expired, missed) = (0, 0, 0) }
        return (inFlight.map(\.line), missed)
    }

    /// The writer is done with what it took.
    mutating func finish(failure: String?) -> Settlement {
        var settlement = Settlement(
            completions: inFlight.dropFirst(expired).map(\.completion), isChange: failure != self.failure)
        if failure == nil { counts.kept += inFlight.count } else { counts.lost += settlement.completions.count }
        settlement.isRetried = failure != nil && !isRetryDue
        if settlement.isRetried { isRetryDue = true }
        self.failure = failure
        (inFlight, expired) = ([], 0)
        return settlement
    }

    /// How it is with the records now.
    func figures(at now: UInt64) -> Figures {
        var figures = counts
        figures.waiting = inFlight.count - expired + waiting.count
        let oldest = (inFlight.dropFirst(expired).first ?? waiting.first).map { $0.deadline &- patience }
        figures.oldest = oldest.map { now > $0 ? now - $0 : 0 } ?? 0
        return figures
    }

    /// It is time to try again; whether there is still a reason.
    mutating func retry() -> Bool {
        isRetryDue = false
        return failure != nil
    }

    /// Gives up what has waited too long. What is not being written yet never will be.
    mutating func expire(at now: UInt64) -> Settlement {
        let written = inFlight.dropFirst(expired).prefix { $0.deadline <= now }
        let unwritten = waiting.prefix { $0.deadline <= now }
        var settlement = Settlement(completions: (written + unwritten).map(\.completion), isChange: false)
        expired += written.count
        waitingBytes -= unwritten.reduce(0) { $0 + $1.line.count }
        missed += unwritten.count
        counts.lost += settlement.completions.count
        waiting.removeFirst(unwritten.count)
        settlement.watches = (inFlight.dropFirst(expired).first ?? waiting.first)?.deadline
        isWatched = settlement.watches != nil
        if failure == nil, !settlement.completions.isEmpty {
            failure = "no record could be written in time"
            settlement.isChange = true
        }
        return settlement
    }
}
