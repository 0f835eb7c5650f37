/// Lines that are written together, chained one to the other and to what stands before them.
struct AuditBatch: Sendable {
    /// The lines, each with its end; before them the end of a line that was left without one.
    private(set) var bytes: [UInt8] = []
    /// Where each line is, without its end.
    private(set) var lines: [Range<Int>] = []
    /// The chain once all lines stand.
    private(set) var chain: AuditChain
    private let before: AuditChain

    /// A batch after this chain; `closesLine` if the last line there has no end.
    init(after chain: AuditChain, closesLine: Bool) {
        (self.chain, before) = (chain, chain)
        if closesLine { bytes.append(UInt8(ascii: "\n")) }
    }

    /// Adds a line of these members.
    mutating func append(_ opening: [UInt8]) {
        let line = chain.line(opening)
        chain = chain.followed(by: line)
        lines.append(bytes.count..<bytes.count + line.count)
        bytes += line
        bytes.append(UInt8(ascii: "\n"))
    }

    /// What stands once only the first so many bytes were written: whole lines, the chain after them, and how many bytes
    /// of a line that has begun.
    func standing(after count: Int) -> (lines: Int, chain: AuditChain, torn: Int) {
        let whole = lines.prefix { $0.upperBound <= count }.count
        guard whole > 0 else { return (0, before, max(0, count - (lines.first?.lowerBound ?? 0))) }
        let last = lines[whole - 1]
        let hash = AuditChain.beginning.followed(by: Array(bytes[last])).hash
        let chain = AuditChain(sequence: before.sequence + Int64(whole), hash: hash)
        return (whole, chain, max(0, count - last.upperBound - 1))
    }
}
