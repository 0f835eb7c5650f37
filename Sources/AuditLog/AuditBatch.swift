/// Lines that are written together, chained one to the other and to what stands before them.
package struct AuditBatch: Sendable {
    /// The lines, each with its end; before them the end of a line that was left without one.
    private(set) var bytes: [UInt8] = []
    /// Where each line is, without its end.
    private(set) var lines: [Range<Int>] = []
    /// The chain before the first line, and after each.
    private var chains: [AuditChain]
    /// The chain once all lines stand.
    var chain: AuditChain { chains[lines.count] }

    /// A batch after this chain; `closesLine` if the last line there has no end.
    init(after chain: AuditChain, closesLine: Bool) {
        chains = [chain]
        if closesLine { bytes.append(UInt8(ascii: "\n")) }
    }

    /// Adds a line of these members.
    mutating func append(_ opening: [UInt8]) {
        let (line, next) = chain.next(opening)
        chains.append(next)
        lines.append(bytes.count..<bytes.count + line.count)
        bytes += line
        bytes.append(UInt8(ascii: "\n"))
    }

    /// What stands once only the first so many bytes were written: whole lines, the chain after them, and how many bytes
    /// of a line that has begun.
    func standing(after count: Int) -> (lines: Int, chain: AuditChain, torn: Int) {
        let whole = lines.prefix { $0.upperBound <= count }.count
        let begun = whole > 0 ? lines[whole - 1].upperBound + 1 : lines.first?.lowerBound ?? 0
        return (whole, chains[whole], max(0, count - begun))
    }
}
