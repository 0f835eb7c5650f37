/// What one loop has counted. The loop alone counts, without a lock; anybody may read.
struct LoopStatistics: Sendable {
    /// Upper bounds of durations, in nanoseconds.
    static let bounds: [UInt64] = [
        250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000, 250_000_000,
        500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
    ]
    /// Counters of durations for each category: one for each bound, one for what is beyond them, and the sum.
    static let durationCounters = 17

    /// Counters of answers for each category: one for each status, and as many for streams.
    static let answerCounters = 34

    let sizes: AnswerTally.Sizes
    private let answers: CounterBlock
    private let durations: CounterBlock
    private let outcomes: CounterBlock
    private let events = CounterBlock(count: ServerEvent.allCases.count)

    init(_ sizes: AnswerTally.Sizes) {
        self.sizes = sizes
        answers = CounterBlock(count: sizes.categories * LoopStatistics.answerCounters)
        durations = CounterBlock(count: sizes.categories * Self.durationCounters)
        outcomes = CounterBlock(count: sizes.outcomes)
    }

    /// Counts an answer that took so many nanoseconds; none if it was given in the turn of its request, which is what most
    /// are.
    @inline(__always)
    func countAnswer(
        _ tally: AnswerTally, _ status: HTTPStatus, after duration: UInt64, isOfStream: Bool = false
    ) {
        let category = Int(tally.category)
        let protocolOffset = isOfStream ? HTTPStatus.count : 0
        answers.add(at: category &* LoopStatistics.answerCounters &+ protocolOffset &+ status.ordinal)
        outcomes.add(at: Int(tally.outcome))
        let first = category &* LoopStatistics.durationCounters
        if duration == 0 { durations.add(at: first) } else { add(duration, at: first) }
    }

    @inline(never)
    private func add(_ duration: UInt64, at first: Int) {
        durations.add(at: first + DurationHistogram.index(of: duration, in: LoopStatistics.bounds))
        durations.add(duration, at: first + LoopStatistics.durationCounters - 1)
    }

    func count(_ event: ServerEvent) { events.add(at: event.rawValue) }

    /// Adds what this loop has counted.
    func add(to sum: inout ServerStatistics) {
        for category in 0..<sizes.categories {
            for status in HTTPStatus.allCases {
                let index = category * LoopStatistics.answerCounters + status.ordinal
                sum.answers[category][status, default: 0] += answers[index]
                sum.streamAnswers[category][status, default: 0] += answers[index + HTTPStatus.count]
            }
            let first = category * LoopStatistics.durationCounters
            sum.durations[category].add(
                { durations[first + $0] }, sum: durations[first + LoopStatistics.durationCounters - 1])
        }
        for index in 0..<sizes.outcomes { sum.outcomes[index] += outcomes[index] }
        for event in ServerEvent.allCases { sum.events[event, default: 0] += events[event.rawValue] }
    }
}
