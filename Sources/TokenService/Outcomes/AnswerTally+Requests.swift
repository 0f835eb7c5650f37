import HTTPServer

/// The numbers by which the server counts this program's answers.
extension AnswerTally {
    /// Outcomes of one credential type: those of routes, then those of requests that the server itself refuses.
    private static let outcomeBits = 6
    private static let firstRejection = RequestOutcome.allCases.count

    /// An answer of a route.
    @inline(__always)
    package init(_ category: RequestCategory, _ outcome: RequestOutcome, by credentials: CredentialType = .none) {
        self.init(category: category.number, outcome: UInt16(truncatingIfNeeded: Self.index(outcome, by: credentials)))
    }

    /// A request that the server itself refuses.
    package init(_ rejection: RequestRejection) {
        self.init(
            category: RequestCategory.none.number, outcome: UInt16(truncatingIfNeeded: Self.index(of: rejection)))
    }

    /// The number of an outcome.
    @inline(__always)
    package static func index(_ outcome: RequestOutcome, by credentials: CredentialType) -> Int {
        credentials.rawValue << outcomeBits | outcome.rawValue
    }

    /// The number of a rejection.
    package static func index(of rejection: RequestRejection) -> Int {
        firstRejection + (RequestRejection.allCases.firstIndex(of: rejection) ?? 0)
    }
}
