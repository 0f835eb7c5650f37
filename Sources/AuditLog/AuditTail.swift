/// The end of an audit file, which a new line follows.
struct AuditTail {
    /// The chain up to the last whole line.
    let chain: AuditChain
    /// Bytes up to there.
    let size: Int
    /// What the next line says.
    let note: AuditNote

    /// Throws for a file that does not end with an audit line or the start of one; such a file is not changed.
    init(of file: AuditFile) throws(AuditFailure) {
        let notAuditLog = AuditFailure(
            reason: "does not end with an audit record; expected an audit file, an empty file or none")
        let size = Int(try file.status().st_size)
        let window = min(size, 2 * (AuditLine.maxBytes + 1))
        let bytes = try file.read(at: size - window, count: window)
        let end = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let torn = bytes[end...]
        guard torn.isEmpty || Self.isTorn(torn), end > 0 || window == size else { throw notAuditLog }
        self.size = size - torn.count
        guard end > 0 else {
            (chain, note) = (.beginning, AuditNote(event: .opened, cut: Int64(torn.count)))
            return
        }
        let whole = bytes[..<(end - 1)]
        let line = Array(whole[(whole.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)...])
        guard let last = AuditLine(line) else { throw notAuditLog }
        chain = AuditChain(sequence: last.sequence, hash: last.hash)
        note = AuditNote(event: .resumed, cut: Int64(torn.count))
    }

    /// Whether the bytes are what a crash leaves: the start of a line, or the zeros of blocks that were never written.
    private static func isTorn(_ bytes: ArraySlice<UInt8>) -> Bool {
        let start = AuditLine.start
        return bytes.first == 0 || bytes.prefix(start.count).elementsEqual(start.prefix(bytes.count))
    }
}
