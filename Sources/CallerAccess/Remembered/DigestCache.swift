internal import Locking
internal import OpenSSLSigner

/// Entries that are found by a SHA-256, bounded in bytes, shared by all loops.
final class DigestCache<Entry: RememberedEntry>: Sendable {
    private let shards: [DigestCacheShard<Entry>]

    init(maxBytes: Int, shards: Int = 16) {
        let count = max(1, shards)
        self.shards = (0..<count).map { _ in DigestCacheShard(maxBytes: max(0, maxBytes) / count) }
    }

    /// The entry of this digest, if it is remembered and still counts.
    func entry(_ digest: SHA256Digest, at now: Int64) -> Entry? {
        shard(of: digest).entries.withLock { $0.entry(digest, at: now) }
    }

    /// Remembers an entry until it no longer counts, or there is no room.
    func insert(_ entry: Entry, _ digest: SHA256Digest, at now: Int64) {
        guard entry.counts(at: now) else { return }
        shard(of: digest).entries.withLock { $0.insert(entry, digest) }
    }

    var count: Int { shards.reduce(0) { $0 + $1.entries.withLock { $0.count } } }
    var bytes: Int { shards.reduce(0) { $0 + $1.entries.withLock { $0.bytes } } }

    private func shard(of digest: SHA256Digest) -> DigestCacheShard<Entry> {
        shards[Int(digest.beginning % UInt64(shards.count))]
    }
}

/// One part of the cache: its lock and what it guards.
private final class DigestCacheShard<Entry: RememberedEntry>: Sendable {
    let entries: Guarded<EntryGenerations<Entry>>

    init(maxBytes: Int) {
        entries = Guarded(EntryGenerations(maxBytes: maxBytes))
    }
}
