import CallerAccess
import HTTPServer
import Queueing

/// Work of requests that wait: addresses take turns, each with one piece in progress, and so do the connections of each,
/// which may be of different clients. So however many requests a client sends, a neighbour's waits for one of each connection.
///
/// A value, so that its lock is its one owner. Each request that waits is charged to its connection. Entries whose client has
/// gone are at most as many as the others once were, or a few, and never have a turn.
struct FairQueue<Work: Sendable>: Sendable {
    /// The most entries of one address, and those that all have together before each has its share of them.
    private let most: (ofAddress: Int, inAll: Int)
    private var waiting: [RateLimitKey: AddressLines<Work>] = [:]
    /// Addresses with waiting work and none in progress, in the order of their turns.
    private var turns = FIFO<RateLimitKey>()
    private var busy: Set<RateLimitKey> = []
    private(set) var count = 0
    private var sweeps = SweepSchedule()

    /// Without bounds, what waits is bounded by what open connections hold.
    init(mostOfAddress: Int = .max, mostInAll: Int = .max) { most = (mostOfAddress, mostInAll) }

    /// Adds a request's work. If too much of its address waits, returns the oldest work of the connection that has the most:
    /// this one takes its place.
    mutating func add(_ request: AwaitingRequest, of address: RateLimitKey, _ work: Work) -> Work? {
        if sweeps.isDue(at: count) { sweep() }
        if waiting[address] == nil, !busy.contains(address) { turns.append(address) }
        count += 1
        waiting[address, default: AddressLines()].append((request, work))
        return makeRoom(of: address)
    }

    /// Takes the next work whose client still waits, which is in progress until `end`; nil if there is none whose turn it is.
    mutating func next() -> (address: RateLimitKey, work: Work)? {
        while let address = turns.popFirst() {
            while let entry = waiting[address]?.next() {
                count -= 1
                guard entry.request.isAwaited else { continue }
                busy.insert(address)
                return (address, entry.work)
            }
            waiting[address] = nil
        }
        return nil
    }

    /// Ends the address's work that is in progress; its next has its turn after those of others.
    mutating func end(_ address: RateLimitKey) {
        busy.remove(address)
        if waiting[address] != nil { turns.append(address) }
    }

    /// How many connections of an address wait.
    func connections(of address: RateLimitKey) -> Int { waiting[address]?.connections ?? 0 }

    private mutating func makeRoom(of address: RateLimitKey) -> Work? {
        let room = max(1, min(most.ofAddress, most.inAll / max(1, waiting.count)))
        guard var lines = waiting[address], lines.count > room else { return nil }
        let before = lines.count
        lines.removeGone()
        let evicted = lines.count > room ? lines.evict() : nil
        count -= before - lines.count
        waiting[address] = lines
        return evicted?.work
    }

    private mutating func sweep() {
        waiting = waiting.mapValues { lines in
            var lines = lines
            lines.removeGone()
            return lines
        }
        count = waiting.values.reduce(0) { $0 + $1.count }
        sweeps.swept(leaving: count)
    }
}

/// What waits of one address: a line for each of its connections, which take turns.
private struct AddressLines<Work: Sendable>: Sendable {
    typealias Entry = (request: AwaitingRequest, work: Work)

    /// Never empty lines.
    private var lines: [ConnectionIdentity: FIFO<Entry>] = [:]
    /// The connections that have a line, in the order of their turns.
    private var turns = FIFO<ConnectionIdentity>()
    private(set) var count = 0
    var connections: Int { lines.count }

    mutating func append(_ entry: Entry) {
        let connection = entry.request.connection
        if lines[connection] == nil { turns.append(connection) }
        lines[connection, default: FIFO()].append(entry)
        count += 1
    }

    /// Takes the next entry; nil if there is none.
    mutating func next() -> Entry? {
        guard let connection = turns.popFirst(), let entry = takeFirst(of: connection) else { return nil }
        if lines[connection] != nil { turns.append(connection) }
        return entry
    }

    /// Takes the oldest entry of the connection that has the most.
    mutating func evict() -> Entry? {
        guard let fullest = lines.max(by: { $0.value.count < $1.value.count })?.key else { return nil }
        defer { if lines[fullest] == nil { turns.removeAll { $0 == fullest } } }
        return takeFirst(of: fullest)
    }

    /// Removes the entries whose client has gone.
    mutating func removeGone() {
        let left = lines.mapValues { line in
            var line = line
            line.removeAll { !$0.request.isAwaited }
            return line
        }.filter { !$0.value.isEmpty }
        lines = left
        turns.removeAll { left[$0] == nil }
        count = left.values.reduce(0) { $0 + $1.count }
    }

    private mutating func takeFirst(of connection: ConnectionIdentity) -> Entry? {
        let entry = lines[connection]?.popFirst()
        if lines[connection]?.isEmpty == true { lines[connection] = nil }
        count -= entry == nil ? 0 : 1
        return entry
    }
}

/// When those that wait are looked through for requests whose client has gone: whenever those may be half of all. So each is
/// looked at a few times in its life.
struct SweepSchedule: Sendable {
    /// With so many the first look comes.
    static let least = 64
    private var next = least

    func isDue(at count: Int) -> Bool { count >= next }

    mutating func swept(leaving count: Int) { next = max(Self.least, 2 * count) }
}
