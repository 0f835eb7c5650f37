import FleetEngineToken

/// What is renewed when, limited in bytes. Times are seconds since the epoch and are passed in.
struct RefreshSchedule<Entry: ExpiringEntry>: Sendable {
    /// The fractions of a token's time between which it is renewed: before half of it is gone, and not all at once.
    private static var fractions: (first: Double, spread: Double) { (0.35, 0.1) }
    /// Seconds between two attempts to renew a token, at least.
    private static var retryInterval: Int { 10 }
    /// The same if only the operator can fix the cause.
    private static var operatorInterval: Int { 60 }
    /// Intervals are longer by up to this part, so that attempts do not all come at once.
    private static var retrySpread: Double { 0.5 }

    /// Seconds between two searches of an entry's second for outdated entries.
    static var sweepInterval: Int64 { 60 }

    private let maxBytes: Int
    private var bytes = 0
    private var seconds: [Int64: [Entry]] = [:]
    /// The first second that has entries; the largest number without entries.
    private var first = Int64.max
    /// The number of entries.
    private(set) var count = 0

    /// An empty schedule for entries of at most so many bytes.
    init(maxBytes: Int) {
        self.maxBytes = maxBytes
    }

    /// Plans an entry; false if it exceeds the limit.
    @discardableResult
    mutating func insert(_ entry: Entry, at second: Int64) -> Bool {
        guard bytes + entry.bytes <= maxBytes else { return false }
        seconds[second, default: []].append(entry)
        first = min(first, second)
        count += 1
        bytes += entry.bytes
        return true
    }

    /// Removes and returns entries that are due, of the earliest seconds first, at most `limit`. After a clock step all
    /// that were due meanwhile are due.
    mutating func takeDue(at now: Int64, atMost limit: Int) -> [Entry] {
        var due: [Entry] = []
        while due.count < limit, first <= now {
            let taken = min(limit - due.count, seconds[first]?.count ?? 0)
            if let entries = seconds[first] {
                due += entries.suffix(taken)
                removed(entries.suffix(taken))
            }
            seconds[first]?.removeLast(taken)
            if seconds[first]?.isEmpty ?? true { drop(first) }
        }
        return due
    }

    /// Removes outdated entries of the seconds whose turn it is at `now`: all of them, if it is called each second for a
    /// whole interval.
    mutating func sweep(at now: Int64, _ isOutdated: (Entry, Int64) -> Bool) {
        for second in seconds.keys where (second - now) % Self.sweepInterval == 0 {
            guard let entries = seconds[second] else { continue }
            let kept = entries.filter { !isOutdated($0, second) }
            guard kept.count < entries.count else { continue }
            removed(entries)
            count += kept.count
            for entry in kept { bytes += entry.bytes }
            seconds[second] = kept
            if kept.isEmpty { drop(second) }
        }
    }

    /// Removes and returns all entries with their seconds.
    mutating func takeAll() -> [Int64: [Entry]] {
        defer { (seconds, first, count, bytes) = ([:], .max, 0, 0) }
        return seconds
    }

    private mutating func removed(_ entries: some Collection<Entry>) {
        count -= entries.count
        for entry in entries { bytes -= entry.bytes }
    }

    private mutating func drop(_ second: Int64) {
        seconds[second] = nil
        if second == first { first = seconds.keys.min() ?? .max }
    }

    /// When to renew a token that was signed at one time and expires at another; `jitter` is from 0 up to 1.
    static func renewal(signedAt signed: Int64, expiresAt end: Int64, jitter: Double) -> Int64 {
        signed + Int64(Double(max(0, end - signed)) * (fractions.first + fractions.spread * jitter))
    }

    /// When to try again after a failure at `now`, which may succeed after so many seconds.
    static func retry(after seconds: Int?, at now: Int64, jitter: Double) -> Int64 {
        let interval = min(max(seconds ?? operatorInterval, retryInterval), 3600)
        return now + Int64((Double(interval) * (1 + retrySpread * jitter)).rounded(.up))
    }

    /// When to try again if too many tokens are being renewed at `now`.
    static func postponed(at now: Int64, jitter: Double) -> Int64 { now + 1 + Int64(5 * jitter) }
}
