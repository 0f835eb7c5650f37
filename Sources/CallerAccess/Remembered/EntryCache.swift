import Locking

/// Entries that are found by a key, bounded in bytes, shared by all loops.
final class EntryCache<Key: RememberedKey, Entry: RememberedEntry>: Sendable {
    private let shards: [EntryCacheShard<Key, Entry>]

    init(maxBytes: Int, shards: Int = 16) {
        let count = max(1, shards)
        self.shards = (0..<count).map { _ in EntryCacheShard(maxBytes: max(0, maxBytes) / count) }
    }

    /// The entry of this key, if it is remembered and still counts.
    func entry(_ key: Key, at now: Int64) -> Entry? {
        shard(of: key).entries.withLock { $0.entry(key, at: now) }
    }

    /// Remembers an entry until it no longer counts, or there is no room.
    func insert(_ entry: Entry, _ key: Key, at now: Int64) {
        guard entry.counts(at: now) else { return }
        shard(of: key).entries.withLock { $0.insert(entry, key) }
    }

    var count: Int { shards.reduce(0) { $0 + $1.entries.withLock { $0.count } } }
    var bytes: Int { shards.reduce(0) { $0 + $1.entries.withLock { $0.bytes } } }

    private func shard(of key: Key) -> EntryCacheShard<Key, Entry> {
        shards[Int(key.beginning % UInt64(shards.count))]
    }
}

/// One part of the cache: its lock and what it guards.
private final class EntryCacheShard<Key: RememberedKey, Entry: RememberedEntry>: Sendable {
    let entries: Guarded<EntryGenerations<Key, Entry>>

    init(maxBytes: Int) {
        entries = Guarded(EntryGenerations(maxBytes: maxBytes))
    }
}
