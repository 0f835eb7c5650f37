import Logging

/// What became of a reload.
enum ReloadOutcome: Sendable {
    /// What the files say is in force, but for what counts from the next start on, and something beside it could not be
    /// done; a sentence each.
    case done(later: [String], undone: [String] = [])
    /// The former state stays in force, for these reasons.
    case failed([String])

    /// What could not be done, and why; nil if all was.
    var failure: [String]? {
        switch self {
        case .done(_, let undone): undone.isEmpty ? nil : undone
        case .failed(let reasons): reasons
        }
    }

    /// What waits for the next start.
    var later: [String] {
        if case .done(let later, _) = self { later } else { [] }
    }

    /// The same where something beside it could not be done.
    func without(_ undone: [String]) -> ReloadOutcome {
        switch self {
        case .done(let later, let others): .done(later: later, undone: others + undone)
        case .failed(let reasons): .failed(reasons + undone)
        }
    }

    /// Says it in the log.
    func tell(_ logger: Logger) {
        switch self {
        case .done(let later, let undone):
            logger.notice("the configuration was reloaded")
            for reason in undone { logger.error("not done with the reload", metadata: ["reason": "\(reason)"]) }
            for sentence in later { logger.warning("\(sentence)") }
        case .failed(let reasons):
            for reason in reasons {
                logger.error("not reloaded, the former configuration stays", metadata: ["reason": "\(reason)"])
            }
        }
    }
}

/// What became of reloads since the start.
struct ReloadHistory: Sendable {
    /// What became of the last one; before the first nothing is wrong.
    private(set) var last = ReloadOutcome.done(later: [])
    private(set) var successes = 0
    private(set) var failures = 0

    /// Notes what became of one.
    mutating func note(_ outcome: ReloadOutcome) {
        if outcome.failure == nil { successes += 1 } else { failures += 1 }
        last = outcome
    }
}
