import AuditLog
import CallerAccess
import Concurrency
import Dispatch
import HTTPServer
import Logging

/// Logs and audits refusals: each by itself, or one line and record for many equal ones in ten seconds.
package final class RefusalRecords: Sendable {
    private static let interval: UInt64 = 10_000_000_000
    /// The limit of counted callers and of separate records: a flood adds less than 200 kB/s to the audit log.
    private static let maxEntries = 1024

    package let logger: Logger
    /// Those that were recorded separately; nil if no console shows them.
    package let latest: LatestRefusals?
    private let audit: AuditRecorder?
    private let tally = Guarded(RefusalTally(interval: interval, maxEntries: maxEntries, maxSeparate: maxEntries))
    /// As the last refusal was named: a reload may change it.
    private let label = Guarded(IDLabel.none)
    private let clock = DispatchQueue(label: "refusals")

    /// Nil for no audit log.
    package init(_ audit: AuditRecorder?, logger: Logger, showingLatest: Bool = false) {
        (self.audit, self.logger) = (audit, logger)
        latest = showingLatest ? LatestRefusals() : nil
    }

    /// Whether a refusal gets its own line and record; otherwise it was counted.
    package func isSeparate(_ refusal: RepeatedRefusal?, of principal: Principal?, _ label: IDLabel) -> Bool {
        guard let refusal else { return true }
        self.label.withLock { $0 = label }
        let now = MonotonicTime.now()
        let decision = tally.withLock { $0.count(refusal, of: principal, at: now) }
        if let end = decision.intervalEnd { wait(until: end) }
        return decision.isSeparate
    }

    /// Writes the counts so far.
    package func writeSums() { write(tally.withLock { $0.takeSums() }) }

    private func wait(until end: UInt64) {
        let now = MonotonicTime.now()
        clock.asyncAfter(deadline: .now() + .nanoseconds(Int(end - min(now, end)))) { [weak self] in
            guard let self else { return }
            let now = MonotonicTime.now()
            let (sums, next) = tally.withLock { $0.endInterval(at: now) }
            write(sums)
            if let next { wait(until: next) }
        }
    }

    private func write(_ sums: [RefusalTally.Sum]) {
        let label = label.withLock { $0 }
        for sum in sums {
            logger.info("refused", metadata: sum.metadata(by: label))
            audit?.append(AuditRecord(sum).opening())
        }
    }
}

extension RefusalTally.Sum {
    /// The clients that the refusals have in common; nil for several.
    fileprivate var peer: String? {
        switch refusal.caller {
        case .network(let address): address.subscriberText
        case .socket: AuditRecord.socketPeer
        case .principal, .others: nil
        }
    }

    /// The fields of their log line.
    fileprivate func metadata(by label: IDLabel) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "code": "\(refusal.code)", "reason": "\(refusal.reason)", "count": "\(count)",
        ]
        if let caller = (principal?.name).flatMap(label.caller) { metadata["principal"] = "\(caller)" }
        if let client = refusal.caller == .socket ? label.client(nil) : peer.flatMap(label.caller) {
            metadata["client"] = "\(client)"
        }
        return metadata
    }
}

extension AuditRecord {
    /// One record for several equal refusals, with what they have in common.
    package init(_ sum: RefusalTally.Sum) {
        let refusal = sum.refusal
        self.init(refusal.outcome, requestID: nil, peer: sum.peer)
        count = sum.count
        principal = sum.principal
        self.refusal = (refusal.code, refusal.reason)
    }
}
