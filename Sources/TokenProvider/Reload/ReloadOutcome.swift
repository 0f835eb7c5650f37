import Logging

/// The result of a reload.
struct ReloadOutcome: Sendable {
    /// Whether the new configuration is active; if not, the previous one stays.
    var isApplied = true
    /// Why the reload failed, as a whole or in part.
    var failures: [String] = []
    /// Changed settings that need a restart, a sentence each.
    var needRestart: [String] = []
    /// The settings that changed, by their keys.
    var changed: [String] = []

    /// The same as `failures`; nil if the reload succeeded.
    var failure: [String]? { failures.isEmpty ? nil : failures }

    func log(to logger: Logger) {
        if isApplied { logger.notice("the configuration was reloaded") }
        for reason in failures {
            let metadata: Logger.Metadata = ["reason": "\(reason)"]
            if isApplied {
                logger.error("part of the reload failed", metadata: metadata)
            } else {
                logger.error("not reloaded; the previous configuration stays", metadata: metadata)
            }
        }
        logger.warn(of: needRestart)
    }
}

/// The results of all reloads since the start.
struct ReloadHistory: Sendable {
    /// The last result; a success before the first reload.
    private(set) var last = ReloadOutcome()
    private(set) var successes = 0
    private(set) var failures = 0
    /// When the last one ended, in seconds since the epoch; nil before the first.
    private(set) var time: Int64?

    mutating func add(_ outcome: ReloadOutcome, at now: Int64) {
        time = now
        if outcome.failure == nil { successes += 1 } else { failures += 1 }
        last = outcome
    }
}
