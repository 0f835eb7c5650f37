import Logging

/// What became of a reload.
enum ReloadOutcome: Sendable {
    /// What the files say is in force, but for what counts from the next start on, a sentence each.
    case done(later: [String])
    /// The former state stays in force, for these reasons.
    case failed([String])

    /// Why the former state stays in force; nil if it does not.
    var failure: [String]? {
        if case .failed(let reasons) = self { reasons } else { nil }
    }

    /// What waits for the next start.
    var later: [String] {
        if case .done(let later) = self { later } else { [] }
    }

    /// Says it in the log.
    func tell(_ logger: Logger) {
        switch self {
        case .done(let later):
            logger.notice("the configuration was reloaded")
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
