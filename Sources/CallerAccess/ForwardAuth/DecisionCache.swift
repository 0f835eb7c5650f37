import OpenSSLCrypto

/// Decisions of a back end that are valid for a while, found by the digest of their question, limited in bytes, shared by
/// all event loops. Times are milliseconds of a clock that never goes back.
package final class DecisionCache: Sendable {
    /// The longest time for which a refusal is valid: a caller who has just been allowed something should not wait long.
    package static let longestRefusal: Int64 = 5000

    private let decisions: EntryCache<SHA256Digest, CachedDecision>
    private let time: Int64

    /// A cache of at most so many bytes, whose decisions are valid for `time`; 0 caches none.
    package init(maxBytes: Int, time: Int64) {
        decisions = EntryCache(maxBytes: maxBytes)
        self.time = time
    }

    /// The decision about a question, if one is valid; `clock` is the current time in seconds since the epoch, at which the
    /// lifetime that it allows may have ended.
    package func decision(_ digest: SHA256Digest, at now: Int64, clock: Int64) -> TimedDecision? {
        guard let known = decisions.entry(digest, at: now)?.decision else { return nil }
        guard let bound = known.bound else { return known }
        return clock < bound.end ? known : nil
    }

    /// Caches the decision about a question that was asked at `then`.
    package func insert(_ decision: TimedDecision, _ digest: SHA256Digest, askedAt then: Int64, at now: Int64) {
        let longest: Int64 =
            switch decision.decision {
            // For half of the lifetime that it gives: a later caller would get a token that expires at once.
            case .allowed(_, let lifetime): lifetime.map { 500 * min($0, Int64(Int32.max)) } ?? .max
            case .unauthenticated, .denied, .undefined: Self.longestRefusal
            }
        decisions.insert(CachedDecision(decision, until: then + min(time, longest)), digest, at: now)
    }

    /// Decisions that are cached now, and their estimated bytes.
    package var cached: (decisions: Int, bytes: Int) { (decisions.count, decisions.bytes) }
}

private struct CachedDecision: CacheEntry {
    let decision: TimedDecision
    let until: Int64
    let bytes: Int

    /// Its places in the cache (`ExpiringEntries.overhead`), and what the allocator rounds up.
    private static let overhead = 384

    init(_ decision: TimedDecision, until: Int64) {
        (self.decision, self.until) = (decision, until)
        var bytes = Self.overhead
        if case .allowed(let principal?, _) = decision.decision { bytes += principal.utf8.count }
        self.bytes = bytes
    }

    func isValid(at now: Int64) -> Bool { now < until }
}
