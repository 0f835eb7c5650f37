import Concurrency

/// Work that waits, in a line for each address. The lines take turns with one piece each: an address with much work does
/// not make the others wait for all of it. Within a line the work that waits longest is the next.
///
/// A line that was empty comes before those that wait for another turn, so that a client with one thing to do does not
/// wait for a round of all who have more (RFC 8290 section 4.2 does the same with packets). Every fourth turn is one of
/// those all the same: many addresses with one piece each cannot stop them.
struct WorkLines {
    /// A connection's stream whose answer or handshake waits for it, and which of the connection's answers that is.
    typealias Work = (connection: UInt64, stream: UInt32, number: UInt32)
    private typealias Line = ObjectIdentifier?

    /// As many lines that were empty come one after the other while others wait.
    static let newAtOnce = 3

    private var lines: [Line: FIFO<Work>] = [:]
    /// The lines with work, each once: those without a turn since they were empty, and the others.
    private var newTurns = FIFO<Line>()
    private var turns = FIFO<Line>()
    /// How many of the last turns went to lines that were empty.
    private var newInARow = 0
    /// All work in all lines.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Puts work at the end of an address's line; connections without an address share one.
    mutating func append(_ work: Work, of account: MemoryAccount?) {
        let line = account.map(ObjectIdentifier.init)
        count += 1
        if lines[line] == nil { newTurns.append(line) }
        lines[line, default: FIFO()].append(work)
    }

    /// The next work of the line whose turn it is.
    mutating func popFirst() -> Work? {
        guard let line = nextTurn(), let work = lines[line]?.popFirst() else { return nil }
        count -= 1
        if lines[line]?.isEmpty == true { lines[line] = nil } else { turns.append(line) }
        return work
    }

    private mutating func nextTurn() -> Line? {
        let isNew = turns.isEmpty || (!newTurns.isEmpty && newInARow < WorkLines.newAtOnce)
        newInARow = isNew && !turns.isEmpty ? newInARow + 1 : 0
        return isNew ? newTurns.popFirst() : turns.popFirst()
    }
}
