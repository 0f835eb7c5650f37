internal import OpenSSLSigner

/// Entries of one shard, within its bytes: a younger and an older generation. When the younger one is full it becomes the
/// older one, whose entries leave unless they were asked for since; so what is in use stays, nothing keeps an order, and
/// what no longer counts leaves with its generation.
struct EntryGenerations<Entry: RememberedEntry>: Sendable {
    private let maxGenerationBytes: Int
    private var younger: [SHA256Digest: Entry] = [:]
    private var older: [SHA256Digest: Entry] = [:]
    private var youngerBytes = 0
    private var olderBytes = 0

    init(maxBytes: Int) {
        maxGenerationBytes = maxBytes / 2
    }

    /// Entries that are remembered.
    var count: Int { younger.count + older.count }
    /// Bytes they are reckoned at.
    var bytes: Int { youngerBytes + olderBytes }

    /// The entry of this digest, if it still counts.
    mutating func entry(_ digest: SHA256Digest, at now: Int64) -> Entry? {
        if let entry = younger[digest] { return entry.counts(at: now) ? entry : nil }
        guard let entry = removeOlder(digest), entry.counts(at: now) else { return nil }
        insert(entry, digest)
        return entry
    }

    /// Remembers an entry unless it is bigger than a generation.
    mutating func insert(_ entry: Entry, _ digest: SHA256Digest) {
        guard entry.bytes <= maxGenerationBytes else { return }
        _ = removeOlder(digest)
        if let former = younger.removeValue(forKey: digest) { youngerBytes -= former.bytes }
        if youngerBytes + entry.bytes > maxGenerationBytes {
            (older, olderBytes) = (younger, youngerBytes)
            (younger, youngerBytes) = ([:], 0)
        }
        younger[digest] = entry
        youngerBytes += entry.bytes
    }

    private mutating func removeOlder(_ digest: SHA256Digest) -> Entry? {
        guard let entry = older.removeValue(forKey: digest) else { return nil }
        olderBytes -= entry.bytes
        return entry
    }
}
