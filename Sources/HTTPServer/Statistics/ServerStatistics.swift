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
    /// A connection speaks a protocol that has several requests at a time.
    case streamsBegun
    /// A promised answer was released without being given.
    case answerAbandoned
}

/// What an answer counts among, in small numbers that mean something to the application alone: the server counts by
/// them and knows no more of them.
package struct AnswerTally: Sendable, Equatable {
    /// How many categories there are; of a higher number the rest counts.
    package static let categories = 32
    /// How many outcomes there are; of a higher number the rest counts.
    package static let outcomes = 512

    /// What was asked for; it is counted with the answer's status and duration.
    package let category: UInt8
    /// What came of it.
    package let outcome: UInt16

    /// An answer of this category and outcome.
    package init(category: UInt8 = 0, outcome: UInt16 = 0) {
        (self.category, self.outcome) = (category, outcome)
    }
}
