import CallerAccess
import Queueing

/// Work that waits, of many callers: they take turns, each with its oldest piece, and a caller has one piece in progress.
/// A value, so that its lock is its one owner.
struct FairQueue<Work: Sendable>: Sendable {
    /// The most pieces of one caller, and in all.
    private let most: (ofCaller: Int, inAll: Int)
    private var waiting: [RateLimitKey: FIFO<Work>] = [:]
    /// Callers with waiting work and none in progress, in the order of their turns.
    private var turns = FIFO<RateLimitKey>()
    private var busy: Set<RateLimitKey> = []
    private var count = 0

    init(mostOfCaller: Int, mostInAll: Int) { most = (mostOfCaller, mostInAll) }

    /// Adds a piece; false if too many wait.
    mutating func add(_ work: Work, of caller: RateLimitKey) -> Bool {
        guard count < most.inAll, waiting[caller]?.count ?? 0 < most.ofCaller else { return false }
        if waiting[caller] == nil, !busy.contains(caller) { turns.append(caller) }
        waiting[caller, default: FIFO()].append(work)
        count += 1
        return true
    }

    /// Takes the next piece, which is in progress until `end`; nil if there is none whose turn it is.
    mutating func next() -> (caller: RateLimitKey, work: Work)? {
        guard let caller = turns.popFirst(), let work = waiting[caller]?.popFirst() else { return nil }
        if waiting[caller]?.isEmpty == true { waiting[caller] = nil }
        busy.insert(caller)
        count -= 1
        return (caller, work)
    }

    /// Ends the caller's piece that is in progress; its next one has its turn after those of others.
    mutating func end(_ caller: RateLimitKey) {
        busy.remove(caller)
        if waiting[caller] != nil { turns.append(caller) }
    }
}
