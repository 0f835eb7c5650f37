import HTTPServer

/// The numbers by which the server counts this program's answers.
extension AnswerTally {
    /// Outcomes of one proof: those of routes, and behind them what the server itself refuses.
    private static let proofBits = 6
    private static let firstRejection = RequestOutcome.allCases.count

    /// An answer of a route.
    @inline(__always)
    package init(_ category: RequestCategory, _ outcome: RequestOutcome, by proof: CallerProof = .none) {
        self.init(category: category.number, outcome: UInt16(truncatingIfNeeded: Self.index(outcome, by: proof)))
    }

    /// What the server refuses itself.
    package init(_ rejection: RequestRejection) {
        self.init(
            category: RequestCategory.none.number, outcome: UInt16(truncatingIfNeeded: Self.index(of: rejection)))
    }

    /// Where an outcome is counted.
    @inline(__always)
    package static func index(_ outcome: RequestOutcome, by proof: CallerProof) -> Int {
        proof.rawValue << proofBits | outcome.rawValue
    }

    /// Where a rejection is counted.
    package static func index(of rejection: RequestRejection) -> Int {
        firstRejection + (RequestRejection.allCases.firstIndex(of: rejection) ?? 0)
    }
}
