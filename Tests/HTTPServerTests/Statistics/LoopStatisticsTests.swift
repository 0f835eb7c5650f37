import Testing

@testable import HTTPServer

/// The counters of an event loop.
@Suite struct LoopStatisticsTests {
    private static func sum(_ statistics: LoopStatistics...) -> ServerStatistics {
        var sum = ServerStatistics()
        for loop in statistics { loop.add(to: &sum) }
        return sum
    }

    @Test func `every status, duration, category and outcome has its own counter`() {
        #expect(HTTPStatus.allCases.map(\.ordinal) == Array(0..<LoopStatistics.streamAnswers))
        #expect(LoopStatistics.durations == 2 * LoopStatistics.streamAnswers)
        #expect(LoopStatistics.durationSum == LoopStatistics.durations + LoopStatistics.bounds.count + 1)
        #expect(LoopStatistics.durationSum < LoopStatistics.categoryCounters)
        #expect(LoopStatistics.bounds == LoopStatistics.bounds.sorted())
        let loop = LoopStatistics()
        for category in UInt8.min...UInt8.max {
            for status in HTTPStatus.allCases {
                loop.countAnswer(AnswerTally(category: category), status, after: 0)
                loop.countAnswer(AnswerTally(category: category), status, after: 1, isOfStream: true)
            }
        }
        for outcome in 0..<AnswerTally.outcomes {
            loop.countAnswer(AnswerTally(outcome: UInt16(outcome)), .ok, after: 0)
        }
        for event in ServerEvent.allCases { loop.count(event) }
        let sum = Self.sum(loop)
        let rounds = UInt64(256 / AnswerTally.categories)
        #expect(sum.answers[1...].allSatisfy { $0.count == 18 && $0.values.allSatisfy { $0 == rounds } })
        #expect(sum.streamAnswers.allSatisfy { $0.count == 18 && $0.values.allSatisfy { $0 == rounds } })
        #expect(sum.durations.allSatisfy { $0.sum == 18 * rounds })
        #expect(sum.outcomes[1...].allSatisfy { $0 == 1 })
        #expect(sum.events.values.allSatisfy { $0 == 1 })
    }

    @Test func `answers of all loops are summed by category, status and outcome`() {
        let (one, other) = (LoopStatistics(), LoopStatistics())
        for _ in 0..<3 { one.countAnswer(AnswerTally(category: 1, outcome: 4), .ok, after: 0) }
        other.countAnswer(AnswerTally(category: 1, outcome: 0), .ok, after: 0)
        other.countAnswer(AnswerTally(category: 2, outcome: 4), .httpVersionNotSupported, after: 0)
        other.countAnswer(AnswerTally(category: 2, outcome: 4), .ok, after: 0, isOfStream: true)
        let sum = Self.sum(one, other)
        #expect(sum.answers[1][.ok] == 4)
        #expect(sum.answers[2][.httpVersionNotSupported] == 1)
        #expect(sum.answers[2][.ok] == 0)
        #expect(sum.streamAnswers[2][.ok] == 1)
        #expect(sum.outcomes[...4] == [1, 0, 0, 0, 5])
        #expect(sum.durations[...2].map { $0.counts.reduce(0, +) } == [0, 4, 2])
    }

    @Test func `a duration counts in the first bucket that contains it`() {
        let loop = LoopStatistics()
        let durations: [UInt64] = [0, 1, 250_000, 250_001, 10_000_000_000, 10_000_000_001, .max / 4]
        for duration in durations { loop.countAnswer(AnswerTally(category: 2), .ok, after: duration) }
        let histogram = Self.sum(loop).durations[2]
        #expect(histogram.counts[0] == 3)
        #expect(histogram.counts[1] == 1)
        #expect(histogram.counts[14] == 1)
        #expect(histogram.counts[15] == 2)
        #expect(histogram.sum == durations.reduce(0, &+))
    }

    @Test func `concurrent reads never go back, and the final sum is complete`() async {
        let loop = LoopStatistics()
        let counted = 200_000
        async let counting: Void = {
            for _ in 0..<counted { loop.countAnswer(AnswerTally(category: 1, outcome: 2), .ok, after: 0) }
        }()
        var last: UInt64 = 0
        for _ in 0..<200 {
            let now = Self.sum(loop).outcomes[2]
            #expect(now >= last)
            last = now
        }
        await counting
        #expect(Self.sum(loop).answers[1][.ok] == UInt64(counted))
    }

    @Test func `a lag probe reports once, with the timeout for stuck loops`() {
        let probe = LagProbe(loops: 2, patience: 7_000_000_000) { lags in
            #expect(lags.count == 2)
            #expect(lags[1] < 7_000_000_000)
            #expect(lags[0] == 7_000_000_000)
        }
        probe.turned(1)
        probe.end()
        probe.turned(0)
        probe.end()
    }
}
