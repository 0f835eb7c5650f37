import Queueing

/// Work that waits, in a line for each address. The lines take turns with one piece each: an address with much work does
/// not make the others wait for all of it. Within a line the work that waits longest is the next.
struct WorkLines {
    /// A connection's stream whose answer or handshake waits for it, and which of the connection's answers that is.
    typealias Work = (connection: UInt64, stream: UInt32, number: UInt32)

    private var lines: [ObjectIdentifier?: FIFO<Work>] = [:]
    /// The lines with work, each once.
    private var turns = FIFO<ObjectIdentifier?>()
    /// All work in all lines.
    private(set) var count = 0

    var isEmpty: Bool { turns.isEmpty }

    /// Puts work at the end of an address's line; connections without an address share one.
    mutating func append(_ work: Work, of account: MemoryAccount?) {
        let line = account.map(ObjectIdentifier.init)
        count += 1
        if lines[line] == nil { turns.append(line) }
        lines[line, default: FIFO()].append(work)
    }

    /// The next work of the line whose turn it is.
    mutating func popFirst() -> Work? {
        guard let line = turns.popFirst(), let work = lines[line]?.popFirst() else { return nil }
        count -= 1
        if lines[line]?.isEmpty == true { lines[line] = nil } else { turns.append(line) }
        return work
    }
}
