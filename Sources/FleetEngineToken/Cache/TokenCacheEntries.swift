import Queueing

/// The tokens of one shard, within its limit of bytes. It is a value, so that its lock is its one owner.
///
/// All tokens of a kind have the same lifetime, so the oldest token expires first and is removed first. If lifetimes
/// differ, an expired token may stay until the one before it is removed, within the same limit.
struct TokenCacheEntries: Sendable {
    /// Bytes that a token needs besides its texts: the object, two array headers, the id's string, its share of a
    /// dictionary that is half full, its records in the order, unused capacity of arrays and the allocator's rounding.
    /// Measured on 64-bit Linux.
    static let overhead = 512

    private struct Entry {
        let token: CachedToken
        let sequence: UInt64
        let bytes: Int
    }

    /// A key and the number of its insertion: a later insertion under the same key has another.
    private struct Record {
        let key: TokenKey
        let sequence: UInt64
    }

    private let maxBytes: Int
    private var entries: [TokenKey: Entry] = [:]
    private var order = FIFO<Record>()
    private var nextSequence: UInt64 = 0
    private(set) var statistics = TokenCacheStatistics()

    init(maxBytes: Int) {
        self.maxBytes = maxBytes
    }

    /// The number of records in the order, including those of replaced tokens.
    var records: Int { order.count }

    func token(for key: TokenKey) -> CachedToken? {
        entries[key]?.token
    }

    /// Caches the token, in place of an older one under the same key. To stay within the limit it first removes expired
    /// tokens, then the oldest ones. A token larger than the whole shard is not cached.
    mutating func insert(_ token: CachedToken, for key: TokenKey, at now: Int64) {
        statistics.mints += 1
        dropExpired(at: now)
        let bytes = Self.bytes(of: token, under: key)
        guard bytes <= maxBytes else { return }
        remove(key)
        entries[key] = Entry(token: token, sequence: nextSequence, bytes: bytes)
        order.append(Record(key: key, sequence: nextSequence))
        nextSequence += 1
        statistics.entries += 1
        statistics.bytes += bytes
        evictOldest()
        compactOrder()
    }

    mutating func countFailure(fallback: Bool) {
        statistics.failures += 1
        statistics.fallbacks += fallback ? 1 : 0
    }

    private mutating func dropExpired(at now: Int64) {
        while let oldest = order.first {
            if let entry = entry(of: oldest) {
                guard entry.token.token.expiresAt <= now else { return }
                remove(oldest.key)
                statistics.expirations += 1
            }
            order.popFirst()
        }
    }

    private mutating func evictOldest() {
        while statistics.bytes > maxBytes, let oldest = order.first {
            if entry(of: oldest) != nil {
                remove(oldest.key)
                statistics.evictions += 1
            }
            order.popFirst()
        }
    }

    /// The entry of a record of the order; nil once that entry was removed or replaced.
    private func entry(of record: Record) -> Entry? {
        guard let entry = entries[record.key], entry.sequence == record.sequence else { return nil }
        return entry
    }

    private mutating func remove(_ key: TokenKey) {
        guard let old = entries.removeValue(forKey: key) else { return }
        statistics.entries -= 1
        statistics.bytes -= old.bytes
    }

    /// Replaced entries leave their records in the order. These are removed before they are half of all.
    private mutating func compactOrder() {
        guard order.count > 2 * entries.count + 16 else { return }
        let entries = entries
        order.removeAll { record in entries[record.key]?.sequence != record.sequence }
    }

    private static func bytes(of token: CachedToken, under key: TokenKey) -> Int {
        overhead + key.idBytes + token.token.jwt.count + token.rendered.count + token.annotation.utf8.count
    }
}
