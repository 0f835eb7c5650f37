import Synchronization

/// What a server has counted since it was made, all its loops together. Each figure is right by itself; they are not of
/// one moment.
package struct ServerStatistics: Sendable {
    /// Answers of HTTP/1.1 by category (`AnswerTally.category`) and status.
    package internal(set) var answers: [[HTTPStatus: UInt64]]
    /// The same of requests that came as streams.
    package internal(set) var streamAnswers: [[HTTPStatus: UInt64]]
    /// How long they took, by category: from the turn of a loop in which a request was whole to its answer, and nothing
    /// where that was the same turn.
    package internal(set) var durations: [DurationHistogram]
    /// Answers by outcome (`AnswerTally.outcome`).
    package internal(set) var outcomes: [UInt64]
    /// What else happened.
    package internal(set) var events: [ServerEvent: UInt64] = [:]

    init() {
        answers = [[HTTPStatus: UInt64]](repeating: [:], count: AnswerTally.categories)
        streamAnswers = answers
        let empty = DurationHistogram(bounds: LoopStatistics.bounds)
        durations = [DurationHistogram](repeating: empty, count: AnswerTally.categories)
        outcomes = [UInt64](repeating: 0, count: AnswerTally.outcomes)
    }

    /// How often it happened.
    package func count(of event: ServerEvent) -> UInt64 { events[event, default: 0] }
}

/// What a loop counts besides answers.
package enum ServerEvent: Int, CaseIterable, Sendable {
    case connectionAccepted
    /// An accepted connection was beyond a limit of connections, so that it gets one answer at most.
    case connectionBeyondLimit
    /// One of those was closed without an answer, for another.
    case connectionEvicted
    /// Accepting was paused, since descriptors or memory ran out.
    case acceptingPaused
    /// A handshake was done: the protocol's version, and whether a session was resumed.
    case handshakeTLS12, handshakeTLS12Resumed, handshakeTLS13, handshakeTLS13Resumed
    case handshakeFailed
    /// It failed because the client's certificate was refused or missing.
    case certificateRefused
    /// A connection was ended for what its client did or is.
    case clientRefused
    /// A proxy's connection was ended for its missing or malformed header.
    case proxyHeaderRefused
    /// A connection speaks a protocol that has several requests at a time.
    case streamsBegun
    /// What was given up to free memory (`MemoryPressure.Step`): connections that were not accepted or closed,
    /// sessions that were ended, and streams and connections that were refused.
    case connectionOverShare, silentConnectionShed, idleConnectionShed, sessionShed, streamRefused
    case stalledConnectionShed, connectionRefused
    /// A promised answer was released without being given.
    case answerAbandoned
}

/// What one loop has counted. The loop alone counts, without a lock; every thread may read.
///
/// All counters are in one piece of memory: for each category its answers by status, those of streams, and its
/// durations; then outcomes, then events.
struct LoopStatistics: Sendable {
    /// Upper bounds of durations, in nanoseconds.
    static let bounds: [UInt64] = [
        250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000, 250_000_000,
        500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
    ]
    /// Where a category's answers of streams begin, its durations, and their sum.
    static let streamAnswers = 18
    static let durations = 36
    static let durationSum = 52
    /// Counters of a category, a power of two.
    static let categoryCounters = 64
    private static let firstOutcome = 2048
    private static let firstEvent = 2560

    private let counters = CounterBlock(count: firstEvent + ServerEvent.allCases.count)

    /// Counts an answer that took so many nanoseconds; none if it was given in the turn of its request, which is what
    /// most are.
    @inline(__always)
    func countAnswer(
        _ tally: AnswerTally, _ status: HTTPStatus, after duration: UInt64, isOfStream: Bool = false
    ) {
        let first = Int(tally.category & 31) &* LoopStatistics.categoryCounters
        counters.add(at: first &+ (isOfStream ? LoopStatistics.streamAnswers : 0) &+ status.ordinal)
        counters.add(at: LoopStatistics.firstOutcome &+ Int(tally.outcome & 511))
        if duration == 0 { counters.add(at: first &+ LoopStatistics.durations) } else { add(duration, at: first) }
    }

    @inline(never)
    private func add(_ duration: UInt64, at first: Int) {
        let place = DurationHistogram.index(of: duration, in: LoopStatistics.bounds)
        counters.add(at: first + LoopStatistics.durations + place)
        counters.add(duration, at: first + LoopStatistics.durationSum)
    }

    func count(_ event: ServerEvent) { counters.add(at: LoopStatistics.firstEvent + event.rawValue) }

    /// Adds what this loop has counted.
    func add(to sum: inout ServerStatistics) {
        for category in 0..<AnswerTally.categories {
            let first = category * LoopStatistics.categoryCounters
            for status in HTTPStatus.allCases {
                sum.answers[category][status, default: 0] += counters[first + status.ordinal]
                let place = first + LoopStatistics.streamAnswers + status.ordinal
                sum.streamAnswers[category][status, default: 0] += counters[place]
            }
            sum.durations[category].add(
                { counters[first + LoopStatistics.durations + $0] }, sum: counters[first + LoopStatistics.durationSum])
        }
        for outcome in 0..<AnswerTally.outcomes {
            sum.outcomes[outcome] += counters[LoopStatistics.firstOutcome + outcome]
        }
        for event in ServerEvent.allCases {
            sum.events[event, default: 0] += counters[LoopStatistics.firstEvent + event.rawValue]
        }
    }
}

/// Counters of one loop, which alone writes them; every thread may read them at any time.
///
/// To count is a plain load and a plain store: no lock, no locked instruction, and no cache line that another loop
/// writes.
///
/// `@unchecked Sendable`: the memory is its own, each counter is atomic, and only the loop that it belongs to stores.
final class CounterBlock: @unchecked Sendable {
    /// Two cache lines, since processors fetch them in pairs.
    private static let alignment = 128

    private let counters: UnsafeMutablePointer<Atomic<UInt64>>

    /// So many counters, all at 0.
    init(count: Int) {
        let bytes = count * MemoryLayout<Atomic<UInt64>>.stride
        let rounded = (bytes + CounterBlock.alignment - 1) / CounterBlock.alignment * CounterBlock.alignment
        let memory = UnsafeMutableRawPointer.allocate(byteCount: rounded, alignment: CounterBlock.alignment)
        counters = memory.bindMemory(to: Atomic<UInt64>.self, capacity: count)
        for index in 0..<count { (counters + index).initialize(to: Atomic(0)) }
    }

    deinit { counters.deallocate() }

    /// Counts; for the loop alone, which sees to it that there is such an index.
    @inline(__always)
    func add(_ amount: UInt64 = 1, at index: Int) {
        let value = counters[index].load(ordering: .relaxed)
        counters[index].store(value &+ amount, ordering: .relaxed)
    }

    /// What was counted so far.
    subscript(index: Int) -> UInt64 { counters[index].load(ordering: .relaxed) }
}
