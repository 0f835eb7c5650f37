/// Entries of one shard, within its bytes: a younger and an older generation. When the younger one is full it becomes the
/// older one, whose entries leave unless they were asked for since; so what is in use stays, nothing keeps an order, and
/// what no longer counts leaves with its generation.
struct EntryGenerations<Key: RememberedKey, Entry: RememberedEntry>: Sendable {
    private let maxGenerationBytes: Int
    private var younger: [Key: Entry] = [:]
    private var older: [Key: Entry] = [:]
    private var youngerBytes = 0
    private var olderBytes = 0

    init(maxBytes: Int) {
        maxGenerationBytes = maxBytes / 2
    }

    /// Entries that are remembered.
    var count: Int { younger.count + older.count }
    /// Bytes they are reckoned at.
    var bytes: Int { youngerBytes + olderBytes }

    /// The entry of this key, if it still counts.
    mutating func entry(_ key: Key, at now: Int64) -> Entry? {
        if let entry = younger[key] { return entry.counts(at: now) ? entry : nil }
        guard let entry = removeOlder(key), entry.counts(at: now) else { return nil }
        insert(entry, key)
        return entry
    }

    /// Remembers an entry unless it is bigger than a generation.
    mutating func insert(_ entry: Entry, _ key: Key) {
        guard entry.bytes <= maxGenerationBytes else { return }
        _ = removeOlder(key)
        if !hasRoom(entry), let former = younger.removeValue(forKey: key) { youngerBytes -= former.bytes }
        if !hasRoom(entry) {
            (older, olderBytes) = (younger, youngerBytes)
            // As many come again: a table that grows moves what it has, time after time.
            (younger, youngerBytes) = (Dictionary(minimumCapacity: older.count), 0)
        }
        if let former = younger.updateValue(entry, forKey: key) { youngerBytes -= former.bytes }
        youngerBytes += entry.bytes
    }

    private func hasRoom(_ entry: Entry) -> Bool { youngerBytes + entry.bytes <= maxGenerationBytes }

    private mutating func removeOlder(_ key: Key) -> Entry? {
        guard let entry = older.removeValue(forKey: key) else { return nil }
        olderBytes -= entry.bytes
        return entry
    }
}
