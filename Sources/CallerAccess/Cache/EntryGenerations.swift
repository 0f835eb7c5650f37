/// Entries of one shard, within its bytes: a younger and an older generation. When the younger one is full, it becomes the
/// older one, and the entries of the previous older one are removed. An entry that was asked for meanwhile has moved to the
/// younger one, so what is in use stays. No order is kept, and invalid entries are removed with their generation.
struct EntryGenerations<Key: CacheKey, Entry: CacheEntry>: Sendable {
    private let maxGenerationBytes: Int
    private var younger: [Key: Entry] = [:]
    private var older: [Key: Entry] = [:]
    private var youngerBytes = 0
    private var olderBytes = 0

    init(maxBytes: Int) {
        maxGenerationBytes = maxBytes / 2
    }

    /// Entries that are cached.
    var count: Int { younger.count + older.count }
    /// Their estimated bytes.
    var bytes: Int { youngerBytes + olderBytes }

    /// The entry of this key, if it is still valid.
    mutating func entry(_ key: Key, at now: Int64) -> Entry? {
        if let entry = younger[key] { return entry.isValid(at: now) ? entry : nil }
        guard let entry = removeOlder(key), entry.isValid(at: now) else { return nil }
        insert(entry, key)
        return entry
    }

    /// Caches an entry unless it is bigger than a generation.
    mutating func insert(_ entry: Entry, _ key: Key) {
        guard entry.bytes <= maxGenerationBytes else { return }
        _ = removeOlder(key)
        if !fits(entry), let previous = younger.removeValue(forKey: key) { youngerBytes -= previous.bytes }
        if !fits(entry) {
            (older, olderBytes) = (younger, youngerBytes)
            // As many are expected again: a table that grows moves all it has, several times.
            (younger, youngerBytes) = (Dictionary(minimumCapacity: older.count), 0)
        }
        if let previous = younger.updateValue(entry, forKey: key) { youngerBytes -= previous.bytes }
        youngerBytes += entry.bytes
    }

    private func fits(_ entry: Entry) -> Bool { youngerBytes + entry.bytes <= maxGenerationBytes }

    private mutating func removeOlder(_ key: Key) -> Entry? {
        guard let entry = older.removeValue(forKey: key) else { return nil }
        olderBytes -= entry.bytes
        return entry
    }
}
