/// A loop's connections by identifier. An identifier is never given twice, so that an event, a deadline or an answer
/// that comes too late finds no connection.
struct ConnectionTable {
    private var slots: [Connection?] = []
    private var generations: [UInt32] = []
    private var free: [Int] = []

    var count: Int { slots.count - free.count }

    /// Every open connection.
    var all: [Connection] { slots.compactMap { $0 } }

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
