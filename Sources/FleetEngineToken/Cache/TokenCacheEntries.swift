/// The tokens of one shard, within its limit of bytes. It is a value, so that its lock is its one owner.
///
/// All tokens of a kind have the same lifetime, so the oldest token expires first and is removed first. If lifetimes
/// differ, an expired token may stay until the one before it is removed, within the same limit.
///
/// A dictionary and a queue beside it would take four times as much for a token: both may be less than half full, and
/// each holds the key. Here a key's ids are with the token's text.
struct TokenCacheEntries: Sendable {
    /// The number of a place.
    private typealias Place = UInt32
    private static let none = Place.max

    /// A place for a token, in a bucket's list or that of free places, and in that of all tokens by age.
    private struct Slot {
        /// The digest of the token's key: a token whose own is another need not be looked at.
        var digest = 0
        var token: CachedToken?
        var next = none
        var older = none
        var newer = none
    }

    private let maxBytes: Int
    let texts = TokenTexts()
    private var slots: ContiguousArray<Slot> = []
    /// The first place of each key's list; as many as a power of two, and no fewer than places.
    private var buckets: ContiguousArray<Place> = [none]
    private var free = none
    private var oldest = none
    private var newest = none
    private var counts = TokenCacheStatistics()
    /// Bytes of places and of what their tokens take beside the texts.
    private var placeBytes = 0

    init(maxBytes: Int) {
        self.maxBytes = maxBytes
    }

    /// The places of tokens, including free ones.
    var places: Int { slots.count }

    /// Bytes of the cached tokens, and of texts that answers still refer to. If texts become shorter, the memory for longer
    /// ones stays: then all takes up to a tenth more.
    private var memory: Int { placeBytes + texts.used }

    var statistics: TokenCacheStatistics {
        var statistics = counts
        statistics.bytes = memory
        return statistics
    }

    func token(for key: TokenKey) -> CachedToken? {
        var place = buckets[bucket(of: key.digest)]
        while place != Self.none {
            if slots[Int(place)].digest == key.digest, let token = slots[Int(place)].token, token.isFound(by: key) {
                return token
            }
            place = slots[Int(place)].next
        }
        return nil
    }

    /// Caches the token with its text for the key, in place of an older one. To stay within the limit it first removes
    /// expired tokens, then the oldest ones. A token that still does not fit gets memory of its own and is not
    /// cached.
    mutating func insert(_ token: RenderedToken, _ text: [UInt8], for key: TokenKey, at now: Int64) -> CachedToken {
        counts.mints += 1
        dropExpired(at: now)
        let bytes = Self.overhead + CachedToken.memory(token.annotation) + TokenText.memory(of: text.count)
        if bytes <= maxBytes {
            if let previous = place(of: key) { remove(previous) }
            while memory + bytes > maxBytes, oldest != Self.none {
                remove(oldest)
                counts.evictions += 1
            }
        }
        guard memory + bytes <= maxBytes else {
            return CachedToken(token, text, for: key, in: TokenTexts(growingBy: 1))
        }
        let cached = CachedToken(token, text, for: key, in: texts)
        add(cached, digest: key.digest)
        return cached
    }

    mutating func countFailure(fallback: Bool) {
        counts.failures += 1
        counts.fallbacks += fallback ? 1 : 0
    }

    private mutating func dropExpired(at now: Int64) {
        while oldest != Self.none, let token = slots[Int(oldest)].token, token.times.expiresAt <= now {
            remove(oldest)
            counts.expirations += 1
        }
    }
}

/// The lists.
extension TokenCacheEntries {
    /// Bytes of a place, with its share of those that are not used yet, and of the buckets.
    static let overhead = MemoryLayout<Slot>.stride * 5 / 4 + 2 * MemoryLayout<Place>.stride

    private func bucket(of digest: Int) -> Int {
        // The cache has chosen the shard by the remainder of the same number.
        Int(truncatingIfNeeded: UInt(bitPattern: digest) >> 16) & (buckets.count - 1)
    }

    private func place(of key: TokenKey) -> Place? {
        var place = buckets[bucket(of: key.digest)]
        while place != Self.none {
            if slots[Int(place)].digest == key.digest, slots[Int(place)].token?.isFound(by: key) == true {
                return place
            }
            place = slots[Int(place)].next
        }
        return nil
    }

    /// Adds a token as the newest, under a key that has none.
    private mutating func add(_ token: CachedToken, digest: Int) {
        let place = takePlace()
        let bucket = bucket(of: digest)
        slots[Int(place)] = Slot(digest: digest, token: token, next: buckets[bucket], older: newest)
        buckets[bucket] = place
        if newest == Self.none { oldest = place } else { slots[Int(newest)].newer = place }
        newest = place
        counts.entries += 1
        placeBytes += Self.overhead + token.memory
    }

    /// Frees a place and takes it out of the lists.
    private mutating func remove(_ place: Place) {
        let slot = slots[Int(place)]
        guard let token = slot.token else { return }
        takeOut(place, of: bucket(of: slot.digest))
        if slot.older == Self.none { oldest = slot.newer } else { slots[Int(slot.older)].newer = slot.newer }
        if slot.newer == Self.none { newest = slot.older } else { slots[Int(slot.newer)].older = slot.older }
        slots[Int(place)] = Slot(next: free)
        free = place
        counts.entries -= 1
        placeBytes -= Self.overhead + token.memory
    }

    private mutating func takeOut(_ place: Place, of bucket: Int) {
        guard buckets[bucket] != place else { return buckets[bucket] = slots[Int(place)].next }
        var before = buckets[bucket]
        while before != Self.none, slots[Int(before)].next != place { before = slots[Int(before)].next }
        if before != Self.none { slots[Int(before)].next = slots[Int(place)].next }
    }

    /// A place without an entry, in no list.
    private mutating func takePlace() -> Place {
        guard free == Self.none else {
            defer { free = slots[Int(free)].next }
            return free
        }
        if slots.count == slots.capacity {
            // An array would double.
            slots.reserveCapacity(slots.count + slots.count / 4 + 8)
        }
        slots.append(Slot())
        if slots.count > buckets.count { rehash() }
        return Place(slots.count - 1)
    }

    private mutating func rehash() {
        buckets = ContiguousArray(repeating: Self.none, count: 2 * buckets.count)
        for place in slots.indices {
            guard slots[place].token != nil else { continue }
            let bucket = bucket(of: slots[place].digest)
            slots[place].next = buckets[bucket]
            buckets[bucket] = Place(place)
        }
    }
}
