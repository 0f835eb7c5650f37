/// Writes an audit log: its chain and its sink. After a failed batch the chain is where whole lines end, and the first
/// line of the next batch says what was lost.
package struct AuditWriter: Sendable {
    private var sink: any AuditSink
    /// The chain after the last written line.
    package private(set) var chain: AuditChain
    /// The chain after each line that the last batch wrote, of which a failed one may have written some.
    private(set) var ends: ArraySlice<AuditChain> = []
    /// The next line about the audit log itself; nil if there is none to write.
    private var note: AuditNote?
    /// Whether the last line is incomplete.
    private var isLineOpen = false

    /// Continues a file, which is created if it is missing.
    package init(path: String) throws(AuditError) {
        let (file, tail) = try AuditFile.open(path)
        (sink, chain, note) = (file, tail.chain, tail.note)
    }

    /// Begins a chain in a sink that cannot be read back.
    package init(_ sink: any AuditSink) {
        (self.sink, chain, note) = (sink, .beginning, AuditNote(event: .begun))
    }

    /// The file or socket, for the operator.
    package var place: String { sink.place }

    /// Whether there is a line to write without any record.
    var hasNote: Bool { note != nil }

    /// Writes records, each the start of a line, as durably as the sink can; throws if that fails for any of them.
    package mutating func write(_ records: [[UInt8]]) throws(AuditFailure) {
        var batch = AuditBatch(after: chain, closesLine: isLineOpen)
        if let note { batch.append(note.lineStart()) }
        for record in records { batch.append(record) }
        do { try sink.put(batch) } catch {
            recordFailure(of: batch, records, written: error.written)
            throw error
        }
        (chain, note, isLineOpen) = (batch.chain, nil, false)
        ends = batch.chains.dropFirst()
    }

    /// Has the next line say that the records of so many requests are lost.
    mutating func recordLoss(of requests: Int64) {
        var losing = note ?? AuditNote(event: .resumed)
        losing.lost += requests
        note = losing
    }

    /// Continues in the file that has the name now; its first line continues the chain, and is the next to be written if the
    /// previous file was removed. Returns the chain at the end of that, or nil if both are the same.
    package mutating func reopen() throws(AuditError) -> AuditChain? {
        guard let other = try sink.reopened() else { return nil }
        let (end, first) = (chain, AuditNote(event: .opened, torn: note?.torn ?? 0, lost: note?.lost ?? 0))
        guard !sink.isRemoved else {
            // Nothing can be written there, and only closing it frees its space, which the first line may need.
            (sink, note, isLineOpen) = (other, first, false)
            return end
        }
        // An empty file would begin another chain after a crash, so its first line is written before any record.
        var batch = AuditBatch(after: chain, closesLine: false)
        batch.append(first.lineStart())
        do { try AuditError.naming(other.place) { () throws(AuditFailure) in try other.put(batch) } } catch {
            other.abandon()
            throw error
        }
        (sink, chain, note, isLineOpen) = (other, batch.chain, nil, false)
        return end
    }

    private mutating func recordFailure(of batch: AuditBatch, _ records: [[UInt8]], written size: Int) {
        // The file may have grown by the bytes of a process that takes no lock.
        let count = min(size, batch.bytes.count)
        let written = batch.written(upTo: count)
        let writtenRecords = max(0, written.lines - (note == nil ? 0 : 1))
        if written.lines > 0 { note = nil }
        recordLoss(of: records.dropFirst(writtenRecords).reduce(0) { $0 + AuditLine.requests(in: $1) })
        note?.torn += Int64(written.torn)
        chain = written.chain
        ends = batch.chains.dropFirst().prefix(written.lines)
        if count > 0 { isLineOpen = batch.bytes[count - 1] != UInt8(ascii: "\n") }
    }
}
