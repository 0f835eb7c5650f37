import CallerAccess
import FleetEngineToken

/// Counts refusals that are the same as others, so that a flood of them fills neither a disk nor a log: the first of
/// them stand there one by one, and the rest of an interval as one number, so that nothing goes unaccounted for. Pure:
/// times are nanoseconds and handed in.
package struct RefusalTally: Sendable {
    /// What is to be done about a refusal.
    package struct Verdict: Equatable {
        /// Whether it stands for itself; it is counted otherwise.
        package let isTold: Bool
        /// The end of the interval, where it has to be waited for from now on.
        package let watches: UInt64?
    }

    /// Refusals that are told as one.
    package struct Sum: Sendable {
        let refusal: RepeatedRefusal
        let count: Int64
        /// Nil for whoever is not proved, and for several.
        let principal: Principal?
    }

    private struct Entry {
        var told = 0
        var count: Int64 = 0
        /// Whether all are counted, until an interval passes without any.
        var isFlood = false
        let principal: Principal?

        /// Whether one more stands for itself, of as many as may; it is counted otherwise.
        mutating func tells(share: Int) -> Bool {
            let isTold = !isFlood && told < share
            if isTold { told += 1 } else { count += 1 }
            return isTold
        }
    }

    /// Nanoseconds after which what was counted is told.
    let interval: UInt64
    /// Callers and reasons that are told apart.
    let maxEntries: Int
    /// Refusals that stand for themselves in an interval, whoever they are of.
    let maxTold: Int
    private var entries: [RepeatedRefusal: Entry] = [:]
    private var told = 0
    private var end: UInt64?

    /// A tally of nothing.
    init(interval: UInt64, maxEntries: Int, maxTold: Int) {
        (self.interval, self.maxEntries, self.maxTold) = (interval, maxEntries, maxTold)
    }

    /// Takes a refusal into account.
    mutating func take(_ refusal: RepeatedRefusal, of principal: Principal?, at now: UInt64) -> Verdict {
        let watches = end == nil ? now &+ interval : nil
        end = end ?? watches
        let isTold = tells(refusal, of: principal)
        if isTold { told += 1 }
        return Verdict(isTold: isTold, watches: watches)
    }

    private mutating func tells(_ refusal: RepeatedRefusal, of principal: Principal?) -> Bool {
        let share = told < maxTold ? refusal.share : 0
        if let known = entries.index(forKey: refusal) { return entries.values[known].tells(share: share) }
        let isOfOthers = refusal.caller == .others
        guard entries.count < maxEntries || isOfOthers else { return tells(refusal.ofOthers, of: nil) }
        var entry = Entry(isFlood: isOfOthers, principal: principal)
        defer { entries[refusal] = entry }
        return entry.tells(share: share)
    }

    /// Ends the interval if it is over: what was counted in it, and the end to be waited for next.
    mutating func endInterval(at now: UInt64) -> (sums: [Sum], watches: UInt64?) {
        guard let end, end <= now else { return ([], end) }
        entries = entries.filter { $0.value.count > 0 }
        told = 0
        self.end = entries.isEmpty ? nil : now &+ interval
        return (takeSums(), self.end)
    }

    /// What was counted and not told so far.
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
