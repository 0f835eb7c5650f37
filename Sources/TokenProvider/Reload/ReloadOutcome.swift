import Logging

/// The result of a reload.
enum ReloadOutcome: Sendable {
    /// The new configuration is active, except for settings that need a restart; a sentence each, also for what failed
    /// beside it. `changed` names the settings that changed.
    case done(needRestart: [String], failures: [String] = [], changed: [String] = [])
    /// The previous configuration stays, for these reasons.
    case failed([String])

    /// Why the reload failed, as a whole or in part; nil if it succeeded.
    var failure: [String]? {
        switch self {
        case .done(_, let failures, _): failures.isEmpty ? nil : failures
        case .failed(let reasons): reasons
        }
    }

    /// Whether the new configuration is active.
    var isApplied: Bool {
        if case .done = self { true } else { false }
    }

    /// Changed settings that need a restart, a sentence each.
    var needRestart: [String] {
        if case .done(let needRestart, _, _) = self { needRestart } else { [] }
    }

    /// The settings that changed, by their keys.
    var changed: [String] {
        if case .done(_, _, let changed) = self { changed } else { [] }
    }

    /// The same outcome with more failures.
    func adding(_ failures: [String]) -> ReloadOutcome {
        switch self {
        case .done(let needRestart, let others, let changed):
            .done(needRestart: needRestart, failures: others + failures, changed: changed)
        case .failed(let reasons): .failed(reasons + failures)
        }
    }

    func log(to logger: Logger) {
        switch self {
        case .done(let needRestart, let failures, _):
            logger.notice("the configuration was reloaded")
            for reason in failures { logger.error("part of the reload failed", metadata: ["reason": "\(reason)"]) }
            logger.warn(of: needRestart)
        case .failed(let reasons):
            for reason in reasons {
                logger.error("not reloaded; the previous configuration stays", metadata: ["reason": "\(reason)"])
            }
        }
    }
}

/// The results of all reloads since the start.
struct ReloadHistory: Sendable {
    /// The last result; a success before the first reload.
    private(set) var last = ReloadOutcome.done(needRestart: [])
    private(set) var successes = 0
    private(set) var failures = 0

    mutating func add(_ outcome: ReloadOutcome) {
        if outcome.failure == nil { successes += 1 } else { failures += 1 }
        last = outcome
    }
}
