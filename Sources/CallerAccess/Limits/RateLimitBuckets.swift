/// Token buckets in sets of eight: a key's bucket may only be in one set, so that finding it costs a look at 128 bytes
/// however many there are. A value, so that its lock is its one owner; times are nanoseconds.
///
/// A bucket is kept as the time at which it will be full again, the generic cell rate algorithm's "theoretical arrival
/// time" (ITU-T I.371 annex A): no rounding adds up, an unused place is a bucket that is full, and the fullest of a set is
/// the one with the earliest time. Dropping one that is full loses nothing, since a new one is full.
struct RateLimitBuckets: Sendable {
    struct Bucket {
        var digest: UInt64 = 0
        var fullAt: UInt64 = 0
    }

    /// Buckets in a set: 128 bytes.
    static let setSize = 8

    private let maxSets: Int
    private var buckets = [Bucket](repeating: Bucket(), count: setSize)
    private var latest: UInt64 = 0
    /// Buckets that were not full when their places were taken.
    private(set) var forgotten = 0

    /// One set, which grows to `maxSets` when needed.
    init(maxSets: Int) {
        self.maxSets = maxSets
    }

    /// Places for buckets at present.
    var places: Int { buckets.count }

    /// Takes a token out of the digest's bucket; out of an empty one, nothing.
    mutating func take(_ digest: UInt64, _ limit: RateLimit, at now: UInt64) -> RateLimiter.Verdict {
        // Each event loop reads the clock itself: for one whose time is earlier, time stands still.
        latest = max(latest, now)
        guard let index = index(of: digest) else {
            insert(Bucket(digest: digest, fullAt: latest + limit.interval))
            return .allowed
        }
        let fullAt = buckets[index].fullAt
        let verdict = limit.verdict(fullAt: fullAt, at: latest)
        if verdict == .allowed { buckets[index].fullAt = max(fullAt, latest) + limit.interval }
        return verdict
    }

    /// What `take` would return.
    func check(_ digest: UInt64, _ limit: RateLimit, at now: UInt64) -> RateLimiter.Verdict {
        guard let index = index(of: digest) else { return .allowed }
        return limit.verdict(fullAt: buckets[index].fullAt, at: max(latest, now))
    }

    /// Whether nothing is missing in the digest's bucket.
    func isFull(_ digest: UInt64, at now: UInt64) -> Bool {
        index(of: digest).map { buckets[$0].fullAt <= max(latest, now) } ?? true
    }

    /// Puts a token back that was taken, unless the bucket has been dropped.
    mutating func giveBack(_ digest: UInt64, _ limit: RateLimit) {
        guard let index = index(of: digest) else { return }
        buckets[index].fullAt -= min(limit.interval, buckets[index].fullAt)
    }

    private func index(of digest: UInt64) -> Int? {
        for index in set(of: digest) where buckets[index].digest == digest { return index }
        return nil
    }

    /// The high bits of the digest choose the set, as its low bits chose the shard.
    private func set(of digest: UInt64) -> Range<Int> {
        let set = digest.multipliedFullWidth(by: UInt64(buckets.count / Self.setSize)).high
        let start = Int(set) * Self.setSize
        return start..<start + Self.setSize
    }

    /// Grows only while no bucket of the set is full.
    private mutating func insert(_ bucket: Bucket) {
        while buckets[fullest(for: bucket.digest)].fullAt > latest, buckets.count < maxSets * Self.setSize { grow() }
        replaceFullest(by: bucket)
    }

    private mutating func grow() {
        let kept = buckets.filter { $0.fullAt > latest }
        let sets = min(2 * buckets.count / Self.setSize, maxSets)
        buckets = Array(repeating: Bucket(), count: sets * Self.setSize)
        for bucket in kept { replaceFullest(by: bucket) }
    }

    private mutating func replaceFullest(by bucket: Bucket) {
        let index = fullest(for: bucket.digest)
        if buckets[index].fullAt > latest { forgotten += 1 }
        buckets[index] = bucket
    }

    private func fullest(for digest: UInt64) -> Int {
        let set = set(of: digest)
        var fullest = set.lowerBound
        for index in set where buckets[index].fullAt < buckets[fullest].fullAt { fullest = index }
        return fullest
    }
}
