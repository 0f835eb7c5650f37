import CallerAccess
import HTTPServer
import Queueing

/// Tokens that wait to be verified: addresses take turns, and so do the connections of each, which may be of different
/// clients. So however many tokens a client sends, a neighbour's waits for one of each connection.
///
/// A value, so that its lock is its one owner. Each request that waits is charged to its connection. Entries whose client has
/// gone are at most as many as the others, or a thousand.
struct VerificationQueue: Sendable {
    typealias Entry = (request: AwaitingRequest, work: @Sendable () -> Void)

    private struct Line: Hashable { let address: RateLimitKey, connection: ConnectionIdentity }

    /// With so many entries they are looked at for the first time.
    static let leastSweep = 1024

    /// Never empty lines.
    private var lines: [Line: FIFO<Entry>] = [:]
    /// The connections of each address that have a line, in the order of their turns.
    private var connections: [RateLimitKey: FIFO<ConnectionIdentity>] = [:]
    /// Addresses with such connections, in the order of their turns.
    private var addresses = FIFO<RateLimitKey>()
    private(set) var count = 0
    private var sweepsAt = leastSweep

    /// Adds a request's work.
    mutating func add(_ request: AwaitingRequest, of address: RateLimitKey, _ work: @escaping @Sendable () -> Void) {
        if count >= sweepsAt { sweep() }
        append((request, work), to: Line(address: address, connection: request.connection))
    }

    /// Takes the next entry; nil if there is none.
    mutating func next() -> Entry? {
        guard let address = addresses.popFirst(), let connection = connections[address]?.popFirst() else { return nil }
        let line = Line(address: address, connection: connection)
        let next = lines[line]?.popFirst()
        count -= 1
        if lines[line]?.isEmpty == false { connections[address]?.append(connection) } else { lines[line] = nil }
        if connections[address]?.isEmpty == false { addresses.append(address) } else { connections[address] = nil }
        return next
    }

    private mutating func append(_ entry: Entry, to line: Line) {
        if lines[line] == nil {
            if connections[line.address] == nil { addresses.append(line.address) }
            connections[line.address, default: FIFO()].append(line.connection)
        }
        lines[line, default: FIFO()].append(entry)
        count += 1
    }

    /// Leaves out the entries whose client has gone, once they may be half of all.
    private mutating func sweep() {
        var old = self
        self = VerificationQueue()
        while let address = old.addresses.popFirst() {
            while let connection = old.connections[address]?.popFirst() {
                let line = Line(address: address, connection: connection)
                while let entry = old.lines[line]?.popFirst() {
                    if entry.request.isAwaited { append(entry, to: line) }
                }
            }
        }
        sweepsAt = max(Self.leastSweep, 2 * count)
    }
}
