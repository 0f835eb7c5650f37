/// A loop's connections by identifier. An identifier is never given twice, so that an event, a deadline or an answer
/// that comes too late finds no connection.
struct ConnectionTable {
    private var slots: [Connection?] = []
    private var generations: [UInt32] = []
    private var free: [Int] = []

    var count: Int { slots.count - free.count }

    /// Every open connection.
    var all: [Connection] { slots.compactMap { $0 } }

    /// Calls with every open connection.
    func forEach(_ body: (Connection) -> Void) {
        for connection in slots {
            if let connection { body(connection) }
        }
    }

    /// Adds a connection, under a new identifier.
    mutating func insert(
        _ descriptor: consuming Descriptor, _ peer: ConnectionPeer, _ machine: ConnectionMachine,
        layers: ConnectionLayers? = nil
    ) -> Connection {
        let slot = free.popLast() ?? slots.count
        if slot == slots.count {
            slots.append(nil)
            generations.append(0)
        }
        let identifier = UInt64(generations[slot]) << 32 | UInt64(slot)
        let connection = Connection(
            identifier: identifier, descriptor: descriptor, layers: layers, peer: peer, machine: machine)
        slots[slot] = connection
        return connection
    }

    subscript(identifier: UInt64) -> Connection? {
        let slot = Int(identifier & 0xffff_ffff)
        guard slot < slots.count, UInt64(generations[slot]) == identifier >> 32 else { return nil }
        return slots[slot]
    }

    mutating func remove(_ identifier: UInt64) {
        let slot = Int(identifier & 0xffff_ffff)
        slots[slot] = nil
        generations[slot] = (generations[slot] + 1) & 0x7fff_ffff
        free.append(slot)
    }
}

/// One timer for all deadlines of a loop: identifiers in slots of about an eighth of a second, looked at when their
/// slot comes round.
///
/// A deadline that moves later costs nothing: its owner keeps the true value, and puts the identifier back when the old
/// slot comes round.
struct DeadlineWheel {
    struct Entry: Equatable {
        let identifier: UInt64
        /// The slot's number, by which the owner knows an entry from one that it has replaced.
        let tick: UInt64
    }

    private static let tickBits: UInt64 = 27  // 2^27 ns: 134 ms
    private static let slotCount: UInt64 = 512

    private var slots = [[Entry]](repeating: [], count: Int(slotCount))
    private var current: UInt64
    /// The tick of the first slot with something in it, while there is any.
    private var earliest = UInt64.max
    private(set) var count = 0

    /// - Parameter now: the monotonic clock, in nanoseconds, as everywhere here.
    init(now: UInt64) { current = now >> DeadlineWheel.tickBits }

    /// The first tick that ends after a moment.
    static func tick(after moment: UInt64) -> UInt64 { (moment >> tickBits) + 1 }

    /// Puts an identifier where it will be looked at after its deadline, or at the horizon if that comes first; the
    /// tick.
    mutating func insert(_ identifier: UInt64, deadline: UInt64) -> UInt64 {
        let horizon = current + DeadlineWheel.slotCount - 1
        let tick = min(max(DeadlineWheel.tick(after: deadline), current + 1), horizon)
        slots[Int(tick % DeadlineWheel.slotCount)].append(Entry(identifier: identifier, tick: tick))
        count += 1
        earliest = min(earliest, tick)
        return tick
    }

    /// The entries whose slot has come round.
    mutating func advance(to now: UInt64) -> [Entry] {
        let target = now >> DeadlineWheel.tickBits
        guard target > current else { return [] }
        var due: [Entry] = []
        let steps = min(target - current, DeadlineWheel.slotCount)
        for tick in (target - steps + 1)...target {
            let slot = Int(tick % DeadlineWheel.slotCount)
            if slots[slot].isEmpty { continue }
            due += slots[slot]
            slots[slot] = []
        }
        current = target
        count -= due.count
        if earliest <= target { findEarliest() }
        return due
    }

    /// Removes entries whose owner has gone. Otherwise they take memory until their slot comes round.
    mutating func removeAll(where isGone: (Entry) -> Bool) {
        for index in slots.indices where !slots[index].isEmpty {
            slots[index] = slots[index].filter { !isGone($0) }
        }
        count = slots.reduce(0) { $0 + $1.count }
        findEarliest()
    }

    private mutating func findEarliest() {
        earliest = count == 0 ? .max : current + 1
        while count > 0, slots[Int(earliest % DeadlineWheel.slotCount)].isEmpty { earliest += 1 }
    }

    /// Milliseconds until the next slot with something in it comes round, rounded up; nil if there is nothing to look
    /// at.
    func wait(from now: UInt64) -> Int32? {
        guard count > 0 else { return nil }
        let next = earliest << DeadlineWheel.tickBits
        return next <= now ? 0 : Int32((next - now + 999_999) / 1_000_000)
    }
}
