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
