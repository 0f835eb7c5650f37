/// What an answer counts among, in small numbers that mean something to the application alone: the server counts by them
/// and knows no more of them.
public struct AnswerTally: Sendable, Equatable {
    /// How many numbers there are of each sort.
    public struct Sizes: Sendable {
        /// One more than the highest category.
        public var categories: Int
        /// One more than the highest outcome.
        public var outcomes: Int

        /// What the application counts by; everything is one sort unless it says more.
        public init(categories: Int = 1, outcomes: Int = 1) {
            (self.categories, self.outcomes) = (max(1, categories), max(1, outcomes))
        }
    }

    /// What was asked for; it is counted with the answer's status and duration.
    public var category: UInt8
    /// What came of it.
    public var outcome: UInt16

    /// An answer of this category and outcome; what is beyond the sizes is not counted.
    public init(category: UInt8 = 0, outcome: UInt16 = 0) {
        (self.category, self.outcome) = (category, outcome)
    }
}
