import Concurrency

/// What is cached under a key for a while.
public protocol ExpiringEntry: Sendable {
    /// Bytes that it takes with its place, estimated rather too high.
    var bytes: Int { get }
}

/// The expiring cache: entries that are found by a key, in the order of their age. It knows neither a limit nor the time: its
/// owner removes the oldest entries.
///
/// `public` and inlinable, so that each module has a version for its own types.
public struct ExpiringEntries<Key: Hashable & Sendable, Entry: ExpiringEntry>: Sendable {
    @usableFromInline typealias Place = (entry: Entry, turn: UInt32, wasUsed: Bool)
    @usableFromInline typealias Turn = (key: Key, number: UInt32)

    /// Bytes of an entry's places in a dictionary that may be less than half full, and in the queue.
    public static var overhead: Int {
        2 * (MemoryLayout<Key>.stride + MemoryLayout<Place>.stride + MemoryLayout<Turn?>.stride)
    }

    @usableFromInline var places: [Key: Place] = [:]
    /// The oldest first. A turn whose place has another number is stale.
    @usableFromInline var turns = FIFO<Turn>()
    @usableFromInline var lastTurn: UInt32 = 0
    @usableFromInline var entryBytes = 0

    @inlinable
    public init() {}

    @inlinable
    public var count: Int { places.count }
    @inlinable
    public var bytes: Int { entryBytes }

    /// The entry of this key; its use changes nothing.
    @inlinable
    public func entry(_ key: Key) -> Entry? { places[key]?.entry }

    /// The same for an entry that is in use: once it is the oldest, it counts as new.
    @inlinable
    public mutating func use(_ key: Key) -> Entry? {
        guard let place = places[key] else { return nil }
        if !place.wasUsed { places[key]?.wasUsed = true }
        return place.entry
    }

    /// Caches an entry as the newest, in place of the key's previous one.
    @inlinable
    public mutating func insert(_ entry: Entry, _ key: Key) {
        remove(key)
        add(entry, key)
        entryBytes += entry.bytes
    }

    @inlinable
    public mutating func remove(_ key: Key) {
        if let previous = places.removeValue(forKey: key) { entryBytes -= previous.entry.bytes }
    }

    /// Removes the oldest entry if it is like that; whether it did.
    @inlinable
    public mutating func removeOldest(if isRemoved: (Entry) -> Bool = { _ in true }) -> Bool {
        while let (key, number) = turns.first {
            guard let place = places[key], place.turn == number else {
                turns.popFirst()
                continue
            }
            guard isRemoved(place.entry) else { return false }
            turns.popFirst()
            guard place.wasUsed else {
                remove(key)
                return true
            }
            add(place.entry, key)
        }
        return false
    }

    @inlinable
    mutating func add(_ entry: Entry, _ key: Key) {
        lastTurn &+= 1
        places[key] = (entry, lastTurn, false)
        turns.append((key, lastTurn))
        // An entry that is replaced leaves its turn.
        if turns.count > 2 * places.count + 32 { turns.removeAll { places[$0.key]?.turn != $0.number } }
    }
}
