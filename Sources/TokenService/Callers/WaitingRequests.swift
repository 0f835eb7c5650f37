import CallerAccess
import Concurrency
import HTTPServer

/// Work of requests that wait: addresses take turns, and so do the connections of each, which may be of different clients. A
/// connection has one piece in progress. So however many requests a client sends, a neighbour's waits for one of each
/// connection.
///
/// A value, so that its lock is its one owner. Each request that waits is charged to its connection. Entries whose client has
/// gone are at most as many as the others once were, or a few, and never have a turn.
struct WaitingRequests<Work: Sendable>: Sendable {
    /// Whose work is in progress.
    struct Turn: Sendable {
        fileprivate let address: RateLimitKey
        fileprivate let connection: ConnectionIdentity
        let work: Work
    }

    /// The most entries of one address, those that all have together before each has its share of them, and the pieces of
    /// one address in progress, which are no more than the connections that wait.
    private let most: (ofAddress: Int, inAll: Int, atOnce: Int)
    /// The addresses with work that waits or is in progress.
    private var lines: [RateLimitKey: AddressLines<Work>] = [:]
    /// Addresses that can go on, in the order of their turns.
    private var turns = FIFO<RateLimitKey>()
    private(set) var count = 0
    private var sweeps = SweepSchedule()

    /// Without bounds, what waits is bounded by what open connections hold.
    init(mostOfAddress: Int = .max, mostInAll: Int = .max, atOnce: Int = 1) {
        most = (mostOfAddress, mostInAll, atOnce)
    }

    /// Adds a request's work. If too much of its address waits, returns the work of the connection that has the most, the
    /// latest of several: the others keep their places.
    mutating func add(_ request: LateAnswer, of address: RateLimitKey, _ work: Work) -> Work? {
        if sweeps.isDue(at: count) { sweep() }
        count += 1
        lines[address, default: AddressLines()].append((request, work))
        queueTurn(of: address)
        return makeRoom(of: address)
    }

    /// Takes the next work whose client still waits, which is in progress until `end`; nil if there is none whose turn it is.
    mutating func next() -> Turn? {
        while let address = turns.popFirst() {
            lines[address]?.hasTurn = false
            var found: Turn?
            while found == nil, let entry = lines[address]?.next() {
                count -= 1
                guard entry.request.isAwaited else { continue }
                lines[address]?.busy.insert(entry.request.connection)
                found = Turn(address: address, connection: entry.request.connection, work: entry.work)
            }
            queueTurn(of: address)
            if let found { return found }
        }
        return nil
    }

    /// Ends work that is in progress; the next of its address has its turn after those of others.
    mutating func end(_ turn: Turn) {
        lines[turn.address]?.busy.remove(turn.connection)
        queueTurn(of: turn.address)
    }

    /// Has an address wait for its turn if it can go on, and forgets it if it has nothing.
    private mutating func queueTurn(of address: RateLimitKey) {
        if lines[address]?.isEmpty == true { lines[address] = nil }
        guard lines[address]?.canGoOn(atOnce: most.atOnce) == true else { return }
        lines[address]?.hasTurn = true
        turns.append(address)
    }

    private mutating func makeRoom(of address: RateLimitKey) -> Work? {
        let room = max(1, min(most.ofAddress, most.inAll / max(1, lines.count)))
        guard let before = lines[address]?.count, before > room else { return nil }
        lines[address]?.removeGone()
        let isFull = lines[address].map { $0.count > room } ?? false
        let evicted = isFull ? lines[address]?.evict() : nil
        count -= before - (lines[address]?.count ?? 0)
        return evicted?.work
    }

    private mutating func sweep() {
        for address in lines.keys {
            lines[address]?.removeGone()
            if lines[address]?.isEmpty == true, lines[address]?.hasTurn == false { lines[address] = nil }
        }
        count = lines.values.reduce(0) { $0 + $1.count }
        sweeps.swept(leaving: count)
    }
}

/// What waits of one address, in a line for each of its connections.
private struct AddressLines<Work: Sendable>: Sendable {
    typealias Entry = (request: LateAnswer, work: Work)

    private(set) var waiting = FairQueue<ConnectionIdentity, Entry>()
    /// The connections with work in progress.
    var busy: Set<ConnectionIdentity> = []
    /// Whether the address waits for its turn.
    var hasTurn = false

    var count: Int { waiting.count }

    /// Whether nothing waits or is in progress.
    var isEmpty: Bool { waiting.isEmpty && busy.isEmpty && !hasTurn }

    /// Whether work can begin beside what is in progress: one piece for each connection that waits, at most so many.
    func canGoOn(atOnce most: Int) -> Bool {
        guard !hasTurn, busy.count < min(most, waiting.waiting.count) else { return false }
        return busy.isEmpty || waiting.waiting.contains { !busy.contains($0) }
    }

    mutating func append(_ entry: Entry) { waiting.append(entry, to: entry.request.connection) }

    /// Takes the next entry of a connection without work in progress; nil if there is none.
    mutating func next() -> Entry? {
        let busy = busy
        return waiting.popFirst { !busy.contains($0) }
    }

    /// Takes the oldest entry of the connection that has the most: most of those come too late anyway.
    mutating func evict() -> Entry? { waiting.popFirstOfFullest() }

    /// Removes the entries whose client has gone.
    mutating func removeGone() { waiting.removeAll { !$0.request.isAwaited } }
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
