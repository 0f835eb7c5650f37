/// What an answer counts among, in small numbers that mean something to the application alone: the server counts by them
/// and knows no more of them.
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
