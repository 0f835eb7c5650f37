import Concurrency
import OpenSSLCrypto

/// Entries that are found by a key, limited in bytes, shared by all event loops.
final class EntryCache<Key: CacheKey, Entry: CacheEntry>: Sendable {
    private let shards: [EntryCacheShard<Key, Entry>]

    init(maxBytes: Int, shards: Int = 16) {
        let count = max(1, shards)
        self.shards = (0..<count).map { _ in EntryCacheShard(maxBytes: max(0, maxBytes) / count) }
    }

    /// The entry of this key, if it is cached and still valid.
    func entry(_ key: Key, at now: Int64) -> Entry? {
        shard(of: key).entries.withLock { $0.entry(key, at: now) }
    }

    /// Caches an entry until it is no longer valid, or its place is needed.
    func insert(_ entry: Entry, _ key: Key, at now: Int64) {
        guard entry.isValid(at: now) else { return }
        shard(of: key).entries.withLock { $0.insert(entry, key) }
    }

    var count: Int { shards.reduce(0) { $0 + $1.entries.withLock { $0.count } } }
    var bytes: Int { shards.reduce(0) { $0 + $1.entries.withLock { $0.bytes } } }

    private func shard(of key: Key) -> EntryCacheShard<Key, Entry> {
        shards[Int(key.beginning % UInt64(shards.count))]
    }
}

/// One part of the cache: its lock and what it guards.
private final class EntryCacheShard<Key: CacheKey, Entry: CacheEntry>: Sendable {
    let entries: Guarded<EntryGenerations<Key, Entry>>

    init(maxBytes: Int) {
        entries = Guarded(EntryGenerations(maxBytes: maxBytes))
    }
}

/// What is cached under a key for a while.
protocol CacheEntry: Sendable {
    /// Bytes that it takes, estimated rather too high.
    var bytes: Int { get }

    /// Whether it is still valid, by the clock of its owner.
    func isValid(at now: Int64) -> Bool
}

/// By what an entry is found: a digest, or a part of the caller's credentials.
protocol CacheKey: Hashable, Sendable {
    /// A part of it that takes all its values about equally often.
    var beginning: UInt64 { get }
}

extension SHA256Digest: CacheKey {}
