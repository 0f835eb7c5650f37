import CallerAccess
import FleetEngineToken

/// Counts equal refusals, so that a flood fills neither the disk nor the log. The first ones of an interval are recorded
/// separately, and the others as one number, so that every refusal is accounted for. Pure: the caller passes times in
/// nanoseconds.
package struct RefusalTally: Sendable {
    /// The result of counting a refusal.
    package struct Decision: Equatable {
        /// Whether it is recorded separately; otherwise it was counted.
        package let isSeparate: Bool
        /// The end of a new interval, for which the caller must wait; nil if the interval has begun before.
        package let intervalEnd: UInt64?
    }

    /// What a record says of a principal: the claims of its token, which may be large, are not held.
    typealias Caller = (name: String, source: String)

    /// Equal refusals that are recorded as one number.
    package struct Sum: Sendable {
        let refusal: RepeatedRefusal
        let count: Int64
        /// Nil for an unauthenticated caller, and for several callers.
        let principal: Caller?
    }

    private struct Entry {
        var separate = 0
        var count: Int64 = 0
        /// Whether all are only counted, until an interval without any.
        var isFlood = false
        let principal: Caller?

        /// Whether one more is recorded separately; otherwise it is counted.
        mutating func add(share: Int) -> Bool {
            let isSeparate = !isFlood && separate < share
            if isSeparate { separate += 1 } else { count += 1 }
            return isSeparate
        }
    }

    /// Nanoseconds after which counts are recorded.
    let interval: UInt64
    /// The most callers and reasons that are counted apart.
    let maxEntries: Int
    /// The most refusals of all callers that are recorded separately in an interval.
    let maxSeparate: Int
    private var entries: [RepeatedRefusal: Entry] = [:]
    private var separate = 0
    private var end: UInt64?

    init(interval: UInt64, maxEntries: Int, maxSeparate: Int) {
        (self.interval, self.maxEntries, self.maxSeparate) = (interval, maxEntries, maxSeparate)
    }

    /// Counts a refusal.
    mutating func count(_ refusal: RepeatedRefusal, of principal: Principal?, at now: UInt64) -> Decision {
        let newEnd = end == nil ? now &+ interval : nil
        end = end ?? newEnd
        let isSeparate = add(refusal, of: principal)
        if isSeparate { separate += 1 }
        return Decision(isSeparate: isSeparate, intervalEnd: newEnd)
    }

    private mutating func add(_ refusal: RepeatedRefusal, of principal: Principal?) -> Bool {
        let share = separate < maxSeparate ? refusal.share : 0
        if let known = entries.index(forKey: refusal) { return entries.values[known].add(share: share) }
        let isOfOthers = refusal.caller == .others
        guard entries.count < maxEntries || isOfOthers else { return add(refusal.ofOthers, of: nil) }
        var entry = Entry(isFlood: isOfOthers, principal: principal.flatMap(AuditRecord.named))
        defer { entries[refusal] = entry }
        return entry.add(share: share)
    }

    /// Ends the interval if its time has come: its counts, and the end of the next one.
    mutating func endInterval(at now: UInt64) -> (sums: [Sum], intervalEnd: UInt64?) {
        guard let end, end <= now else { return ([], end) }
        entries = entries.filter { $0.value.count > 0 }
        separate = 0
        self.end = entries.isEmpty ? nil : now &+ interval
        return (takeSums(), self.end)
    }

    /// The counts that were not recorded yet.
    mutating func takeSums() -> [Sum] {
        var sums: [Sum] = []
        for (refusal, entry) in entries where entry.count > 0 {
            sums.append(Sum(refusal: refusal, count: entry.count, principal: entry.principal))
            entries[refusal]?.count = 0
            entries[refusal]?.isFlood = true
        }
        return sums
    }
}
