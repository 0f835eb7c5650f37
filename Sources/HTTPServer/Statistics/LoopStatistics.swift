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
    static let streamAnswers = 17
    static let durations = 34
    static let durationSum = 50
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
