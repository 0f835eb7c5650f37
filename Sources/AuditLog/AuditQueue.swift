/// The records that wait to be written and those that are being written, in the order they came. Pure: times are passed
/// in, and what is to be done is returned.
package struct AuditQueue: Sendable {
    /// Called once with whether the record is durable.
    package typealias Completion = @Sendable (Bool) -> Void

    private struct Waiter: Sendable {
        let line: [UInt8]
        /// Nil for a record that no request waits for.
        let completion: Completion?
        let deadline: UInt64

        var isAwaited: Bool { completion != nil }
    }

    /// What a new record makes necessary.
    enum Admission: Equatable {
        /// Too many records wait.
        case refused
        /// Whether the writer has to be called, and the deadline to watch, if none is watched.
        case admitted(callsWriter: Bool, watches: UInt64?)
    }

    /// What is to be done after records were written or given up.
    struct Settlement: Sendable {
        /// What to call.
        var completions: [Completion]
        /// Whether writing succeeds now and failed before, or the reverse, or fails for another reason.
        var isChange: Bool
        /// Whether the writer has to be called again later: without new records nothing else would show that writing is
        /// possible again.
        var isRetried = false
        /// The deadline to watch next.
        var watches: UInt64?
    }

    /// Counts of records.
    package struct Figures: Equatable, Sendable {
        /// How many wait to be durable.
        package var waiting = 0
        /// Nanoseconds that the oldest awaited one has waited.
        package var oldest: UInt64 = 0
        /// How many are durable.
        package fileprivate(set) var kept = 0
        /// How many were refused or given up, or could not be written.
        package fileprivate(set) var lost = 0
    }

    /// The fraction of the capacity that unawaited records may fill, so that they never displace awaited ones.
    private static let unawaitedShare = 4

    /// Bytes that may wait.
    let capacity: Int
    /// Nanoseconds that an awaited record may wait.
    let patience: UInt64
    /// Nanoseconds after which the writer is called for unawaited records.
    let delay: UInt64
    /// Why nothing can be written; nil while it can.
    private(set) var failure: String?
    private var waiting: [Waiter] = []
    private var waitingBytes = 0
    private var unawaitedBytes = 0
    private var inFlight: [Waiter] = []
    /// How many of those being written are no longer waited for.
    private var expired = 0
    /// Requests whose records never reached the writer, since it last took some.
    private var missed: Int64 = 0
    private var isWriterCalled = false
    private var isWatched = false
    private var isCallDelayed = false
    private var isRetryDue = false
    private var counts = Figures()

    init(capacity: Int, patience: UInt64, delay: UInt64) {
        (self.capacity, self.patience, self.delay) = (capacity, patience, delay)
    }

    /// Adds a record, unless the queue is full or the record is longer than a line may be.
    mutating func append(_ line: [UInt8], at now: UInt64, _ completion: @escaping Completion) -> Admission {
        guard hasRoom(for: line) else {
            lose(line)
            return .refused
        }
        waitingBytes += line.count
        waiting.append(Waiter(line: line, completion: completion, deadline: now &+ patience))
        defer { (isWriterCalled, isWatched) = (true, true) }
        return .admitted(callsWriter: !isWriterCalled, watches: isWatched ? nil : now &+ patience)
    }

    /// Adds a record that no request waits for, unless such records fill their share. It is written with the next awaited
    /// one. Returns when to call `callIsDue`; nil if that call is already planned.
    mutating func appendUnawaited(_ line: [UInt8], at now: UInt64) -> UInt64? {
        guard hasRoom(for: line), unawaitedBytes + line.count <= capacity / Self.unawaitedShare else {
            lose(line)
            return nil
        }
        waitingBytes += line.count
        unawaitedBytes += line.count
        waiting.append(Waiter(line: line, completion: nil, deadline: now &+ patience))
        defer { isCallDelayed = true }
        return isCallDelayed ? nil : now &+ delay
    }

    /// Whether the writer has to be called because an unawaited record has waited long enough; else when to ask again, nil
    /// if there is none.
    mutating func callIsDue(at now: UInt64) -> (callsWriter: Bool, again: UInt64?) {
        isCallDelayed = false
        // For an awaited record the writer has been called.
        guard !isWriterCalled, let first = waiting.first else { return (false, nil) }
        let due = first.deadline &- patience &+ delay
        guard due <= now else {
            isCallDelayed = true
            return (false, due)
        }
        isWriterCalled = true
        return (true, nil)
    }

    /// All waiting records, for the writer to write now, and how many requests' records were given up before.
    mutating func take() -> (lines: [[UInt8]], missed: Int64) {
        isWriterCalled = false
        inFlight = waiting
        waiting = []
        waiting.reserveCapacity(inFlight.count)
        defer { (waitingBytes, unawaitedBytes, expired, missed) = (0, 0, 0, 0) }
        return (inFlight.map(\.line), missed)
    }

    /// The writer has written what it took, or failed.
    mutating func finish(failure: String?) -> Settlement {
        var settlement = Settlement(
            completions: inFlight.dropFirst(expired).compactMap(\.completion), isChange: failure != self.failure)
        // Those that were given up have already been counted.
        let givenUp = inFlight.prefix(expired).count { $0.isAwaited }
        if failure == nil { counts.kept += inFlight.count } else { counts.lost += inFlight.count - givenUp }
        settlement.isRetried = failure != nil && !isRetryDue
        if settlement.isRetried { isRetryDue = true }
        self.failure = failure
        (inFlight, expired) = ([], 0)
        return settlement
    }

    /// The counts now.
    func figures(at now: UInt64) -> Figures {
        var figures = counts
        figures.waiting = inFlight.count - expired + waiting.count
        let oldest = firstDeadline.map { $0 &- patience }
        figures.oldest = oldest.map { now > $0 ? now - $0 : 0 } ?? 0
        return figures
    }

    /// It is time to try again; whether writing still fails.
    mutating func retry() -> Bool {
        isRetryDue = false
        return failure != nil
    }

    /// Gives up awaited records that have waited too long. Those that are not being written yet never will be.
    mutating func expire(at now: UInt64) -> Settlement {
        let written = inFlight.dropFirst(expired).prefix { $0.deadline <= now }
        let late = waiting.prefix { $0.deadline <= now }
        let unwritten = late.filter(\.isAwaited)
        var settlement = Settlement(completions: (written + unwritten).compactMap(\.completion), isChange: false)
        expired += written.count
        waitingBytes -= unwritten.reduce(0) { $0 + $1.line.count }
        missed += Int64(unwritten.count)
        counts.lost += settlement.completions.count
        waiting.replaceSubrange(..<late.endIndex, with: late.filter { !$0.isAwaited })
        settlement.watches = firstDeadline
        isWatched = settlement.watches != nil
        if failure == nil, !settlement.completions.isEmpty {
            failure = "no record could be written in time"
            settlement.isChange = true
        }
        return settlement
    }

    /// The deadline of the first awaited record.
    private var firstDeadline: UInt64? {
        (inFlight.dropFirst(expired).first(where: \.isAwaited) ?? waiting.first(where: \.isAwaited))?.deadline
    }

    private func hasRoom(for line: [UInt8]) -> Bool {
        waitingBytes + line.count <= capacity && line.count <= AuditLine.maxStartBytes
    }

    private mutating func lose(_ line: [UInt8]) {
        missed += AuditLine.requests(in: line)
        counts.lost += 1
    }
}
