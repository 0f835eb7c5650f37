/// What writes a trail: its chain and its place. A batch that failed leaves the chain where whole lines stand, and the
/// first line of the next one says what was lost.
package struct AuditWriter: Sendable {
    private var sink: any AuditSink
    /// Where the trail stands.
    package private(set) var chain: AuditChain
    /// The trail's own line that is still to be written.
    private var note: AuditNote?
    /// Whether the last line has no end.
    private var isLineOpen = false

    /// Continues a file's trail.
    package init(_ file: AuditFile, after tail: AuditTail) {
        (sink, chain, note) = (file, tail.chain, tail.note)
    }

    /// Begins a trail in a place that keeps none.
    package init(_ sink: any AuditSink) {
        (self.sink, chain, note) = (sink, .beginning, AuditNote(event: .begun))
    }

    /// The file or socket, for the operator.
    package var place: String { sink.place }

    /// Whether there is something to write without any record.
    var hasNote: Bool { note != nil }

    /// Writes records; each is the beginning of a line. All are as durable as they can be then, or it throws.
    package mutating func write(_ records: [[UInt8]]) throws(AuditFailure) {
        var batch = AuditBatch(after: chain, closesLine: isLineOpen)
        if let note { batch.append(note.opening()) }
        for record in records { batch.append(record) }
        do {
            try sink.put(batch)
        } catch {
            settle(batch, records: records, standing: error.standing)
            throw error
        }
        (chain, note, isLineOpen) = (batch.chain, nil, false)
    }

    /// Has the trail say that the records of so many requests will never be written.
    mutating func miss(_ requests: Int64) {
        var missing = note ?? AuditNote(event: .resumed)
        missing.lost += requests
        note = missing
    }

    /// Goes on in the place that the name means now, whose first line continues the chain; where that stands in the former
    /// place, or nil if both are the same.
    package mutating func reopen() throws(AuditError) -> AuditChain? {
        guard let other = try sink.reopened() else { return nil }
        // A file without a line would begin another chain after a crash, so the first is written before any record is.
        var batch = AuditBatch(after: chain, closesLine: false)
        batch.append(AuditNote(event: .opened, torn: note?.torn ?? 0, lost: note?.lost ?? 0).opening())
        do {
            try other.put(batch)
        } catch {
            throw AuditError(place: other.place, problem: error.reason)
        }
        let end = chain
        (sink, chain, note, isLineOpen) = (other, batch.chain, nil, false)
        return end
    }

    private mutating func settle(_ batch: AuditBatch, records: [[UInt8]], standing count: Int) {
        let stands = batch.standing(after: count)
        let hadNote = note != nil
        if stands.lines > 0 { note = nil }
        miss(
            records.dropFirst(max(0, stands.lines - (hadNote ? 1 : 0))).reduce(0) { $0 + AuditLine.requests(in: $1) })
        note?.torn += Int64(stands.torn)
        chain = stands.chain
        if count > 0 { isLineOpen = batch.bytes[count - 1] != UInt8(ascii: "\n") }
    }
}
