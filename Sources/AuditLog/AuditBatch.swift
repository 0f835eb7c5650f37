/// Lines that are written together, each chained to the one before it.
package struct AuditBatch: Sendable {
    /// The lines with their line ends, after the line end that an incomplete line before them may need.
    private(set) var bytes: [UInt8] = []
    /// Where each line is, without its line end.
    private(set) var lines: [Range<Int>] = []
    /// The chain before the first line, and after each.
    private(set) var chains: [AuditChain]
    /// The chain after all lines.
    var chain: AuditChain { chains[lines.count] }

    /// A batch after this chain; `closesLine` if the last line there is incomplete.
    init(after chain: AuditChain, closesLine: Bool) {
        chains = [chain]
        if closesLine { bytes.append(UInt8(ascii: "\n")) }
    }

    /// Adds a line that starts with these bytes.
    mutating func append(_ start: [UInt8]) {
        let (line, next) = chain.next(start)
        chains.append(next)
        lines.append(bytes.count..<bytes.count + line.count)
        bytes += line
        bytes.append(UInt8(ascii: "\n"))
    }

    /// What is in the audit log if only the first `count` bytes were written: whole lines, the chain after them, and bytes
    /// of an incomplete line.
    func written(upTo count: Int) -> (lines: Int, chain: AuditChain, torn: Int) {
        let whole = lines.prefix { $0.upperBound <= count }.count
        let begun = whole > 0 ? lines[whole - 1].upperBound + 1 : lines.first?.lowerBound ?? 0
        return (whole, chains[whole], max(0, count - begun))
    }
}
