import AuditLog
import CallerAccess
import Dispatch
import HTTPServer
import Locking
import Logging

/// What is kept of refusals: a line of the log and a record of the audit trail for each, or of many that are the same in
/// ten seconds one.
package final class RefusalRecords: Sendable {
    private static let interval: UInt64 = 10_000_000_000
    /// For the tally and for records, so that a flood from everywhere adds less than 200 kB a second to an audit log.
    private static let most = 1024

    /// The log's lines go there.
    package let logger: Logger
    private let audit: AuditRecorder?
    private let tally = Guarded(RefusalTally(interval: interval, maxEntries: most, maxTold: most))
    private let clock = DispatchQueue(label: "refusals")

    /// Nothing has been refused so far; the trail is nil if none is kept.
    package init(_ audit: AuditRecorder?, logger: Logger) { (self.audit, self.logger) = (audit, logger) }

    /// Whether a refusal stands for itself; otherwise it has been counted.
    package func stands(_ refusal: RepeatedRefusal?, of principal: Principal?) -> Bool {
        guard let refusal else { return true }
        let now = ServerTime.monotonicNow()
        let verdict = tally.withLock { $0.take(refusal, of: principal, at: now) }
        if let end = verdict.watches { watch(end) }
        return verdict.isTold
    }

    /// Writes what was counted so far.
    package func writeSums() { write(tally.withLock { $0.takeSums() }) }

    private func watch(_ end: UInt64) {
        clock.asyncAfter(deadline: DispatchTime(uptimeNanoseconds: end)) { [weak self] in
            guard let self else { return }
            let now = ServerTime.monotonicNow()
            let (sums, next) = tally.withLock { $0.endInterval(at: now) }
            write(sums)
            if let next { watch(next) }
        }
    }

    private func write(_ sums: [RefusalTally.Sum]) {
        for sum in sums {
            let refusal = sum.refusal
            logger.info(
                "refused",
                metadata: ["code": "\(refusal.code)", "reason": "\(refusal.reason)", "count": "\(sum.count)"])
            audit?.append(AuditRecord(sum).opening())
        }
    }
}
