import Concurrency
import FleetEngineToken
import OpenSSLCrypto

/// Entries that are found by a key, limited in bytes, shared by all event loops. What is in use stays if space is needed;
/// entries that are no longer valid go as they become the oldest.
final class EntryCache<Key: CacheKey, Entry: CacheEntry>: Sendable {
    private let shards: [EntryCacheShard<Key, Entry>]

    init(maxBytes: Int, shards: Int = 16) {
        let count = max(1, shards)
        self.shards = (0..<count).map { _ in EntryCacheShard(maxBytes: max(0, maxBytes) / count) }
    }

    /// The entry of this key, if it is cached and still valid.
    func entry(_ key: Key, at now: Int64) -> Entry? {
        let entry = shard(of: key).entries.withLock { $0.use(key) }
        return entry.flatMap { $0.isValid(at: now) ? $0 : nil }
    }

    /// Caches an entry until it is no longer valid, or its place is needed.
    func insert(_ entry: Entry, _ key: Key, at now: Int64) {
        let shard = shard(of: key)
        guard entry.isValid(at: now), entry.bytes <= shard.maxBytes else { return }
        shard.entries.withLock { entries in
            entries.remove(key)
            while entries.bytes + entry.bytes > shard.maxBytes, entries.removeOldest() {}
            entries.insert(entry, key)
        }
    }

    var count: Int { shards.reduce(0) { $0 + $1.entries.withLock { $0.count } } }
    var bytes: Int { shards.reduce(0) { $0 + $1.entries.withLock { $0.bytes } } }

    private func shard(of key: Key) -> EntryCacheShard<Key, Entry> {
        shards[Int(key.beginning % UInt64(shards.count))]
    }
}

/// One part of the cache: its lock and what it guards.
private final class EntryCacheShard<Key: CacheKey, Entry: CacheEntry>: Sendable {
    let entries = Guarded(ExpiringEntries<Key, Entry>())
    let maxBytes: Int

    init(maxBytes: Int) { self.maxBytes = maxBytes }
}

/// What is cached under a key for a while.
protocol CacheEntry: ExpiringEntry {
    /// Whether it is still valid, by the clock of its owner.
    func isValid(at now: Int64) -> Bool
}

/// By what an entry is found: a digest, or a part of the caller's credentials.
protocol CacheKey: Hashable, Sendable {
    /// A part of it that takes all its values about equally often.
    var beginning: UInt64 { get }
}

extension SHA256Digest: CacheKey {}
