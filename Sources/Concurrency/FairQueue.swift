/// Elements that wait in lines, which take turns with one element each: a line with many does not make the others wait for
/// all of it. Within a line the element that waits longest is the next.
///
/// A line that was empty may come before those that wait for another turn, so that who has one thing to do does not wait for
/// a round of all who have more (RFC 8290 section 4.2 does the same with packets). After so many in a row one of the others
/// has its turn all the same: many lines with one element each cannot stop them.
public struct FairQueue<Line: Hashable, Element> {
    /// As many lines that were empty come one after the other while others wait; 0 if they wait like the others.
    @usableFromInline let newAtOnce: Int
    /// Never empty ones.
    @usableFromInline var lines: [Line: FIFO<Element>] = [:]
    /// The lines, each once: those without a turn since they were empty, and the others.
    @usableFromInline var newTurns = FIFO<Line>()
    @usableFromInline var turns = FIFO<Line>()
    /// How many of the last turns went to lines that were empty.
    @usableFromInline var newInARow = 0
    @usableFromInline var elements = 0

    @inlinable
    public init(newAtOnce: Int = 0) { self.newAtOnce = newAtOnce }

    /// All elements in all lines.
    @inlinable
    public var count: Int { elements }

    @inlinable
    public var isEmpty: Bool { elements == 0 }

    /// The lines that are not empty.
    @inlinable
    public var waiting: Dictionary<Line, FIFO<Element>>.Keys { lines.keys }

    /// Puts an element at the end of a line.
    @inlinable
    public mutating func append(_ element: Element, to line: Line) {
        elements += 1
        if lines[line] == nil { if newAtOnce > 0 { newTurns.append(line) } else { turns.append(line) } }
        lines[line, default: FIFO()].append(element)
    }

    /// Takes the next element of the line whose turn it is.
    @inlinable
    public mutating func popFirst() -> Element? {
        guard let line = nextTurn() else { return nil }
        defer { if lines[line] != nil { turns.append(line) } }
        return takeFirst(of: line)
    }

    /// The same among lines that may have a turn; the others keep theirs.
    @inlinable
    public mutating func popFirst(where mayHaveTurn: (Line) -> Bool) -> Element? {
        for _ in 0..<lines.count {
            guard let line = nextTurn() else { return nil }
            let element = mayHaveTurn(line) ? takeFirst(of: line) : nil
            if lines[line] != nil { turns.append(line) }
            if let element { return element }
        }
        return nil
    }

    /// Takes the oldest element of the line that has the most, of several that of the one whose turn is last.
    @inlinable
    public mutating func popFirstOfFullest() -> Element? {
        var fullest: (line: Line, count: Int)?
        for order in [newTurns, turns] {
            order.forEach { line in
                let count = lines[line]?.count ?? 0
                if count >= fullest?.count ?? 1 { fullest = (line, count) }
            }
        }
        guard let fullest else { return nil }
        defer { forgetEmpty() }
        return takeFirst(of: fullest.line)
    }

    @inlinable
    public mutating func removeAll(where isStale: (Element) -> Bool) {
        for line in lines.keys {
            lines[line]?.removeAll(where: isStale)
            if lines[line]?.isEmpty == true { lines[line] = nil }
        }
        elements = lines.values.reduce(0) { $0 + $1.count }
        forgetEmpty()
    }

    @inlinable
    mutating func nextTurn() -> Line? {
        let isNew = turns.isEmpty || (!newTurns.isEmpty && newInARow < newAtOnce)
        newInARow = isNew && !turns.isEmpty ? newInARow + 1 : 0
        return isNew ? newTurns.popFirst() : turns.popFirst()
    }

    @inlinable
    mutating func takeFirst(of line: Line) -> Element? {
        let element = lines[line]?.popFirst()
        if lines[line]?.isEmpty == true { lines[line] = nil }
        elements -= element == nil ? 0 : 1
        return element
    }

    /// No line that is empty has a turn.
    @inlinable
    mutating func forgetEmpty() {
        let lines = lines
        newTurns.removeAll { lines[$0] == nil }
        turns.removeAll { lines[$0] == nil }
    }
}

extension FairQueue: Sendable where Line: Sendable, Element: Sendable {}
