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
