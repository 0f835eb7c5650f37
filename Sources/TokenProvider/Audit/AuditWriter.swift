/// What writes a trail: its chain and its place. A batch that failed leaves the chain where whole lines stand, and the
/// first line of the next one says what was lost.
struct AuditWriter: Sendable {
    private var sink: any AuditSink
    /// Where the trail stands.
    private(set) var chain: AuditChain
    /// The trail's own line that is still to be written.
    private var note: AuditNote?
    /// Whether the last line has no end.
    private var isLineOpen = false

    /// Continues a file's trail.
    init(_ file: AuditFile, after tail: AuditTail) {
        (sink, chain, note) = (file, tail.chain, tail.note)
    }

    /// Begins a trail in a place that keeps none.
    init(_ sink: any AuditSink) {
        (self.sink, chain, note) = (sink, .beginning, AuditNote(event: .begun))
    }

    /// Whether there is something to write without any record.
    var hasNote: Bool { note != nil }

    /// Writes records; each is the beginning of a line. All are as durable as they can be then, or it throws.
    mutating func write(_ records: [[UInt8]]) throws(AuditFailure) {
        var batch = AuditBatch(after: chain, closesLine: isLineOpen)
        if let note { batch.append(note.opening()) }
        for record in records { batch.append(record) }
        do {
            try sink.put(batch)
        } catch {
            settle(batch, records: records.count, standing: error.standing)
            throw error
        }
        (chain, note, isLineOpen) = (batch.chain, nil, false)
    }

    /// Has the trail say that so many records will never be written.
    mutating func miss(_ records: Int) {
        var missing = note ?? AuditNote(event: .resumed)
        missing.lost += Int64(records)
        note = missing
    }

    /// Goes on in the place that the name means now, whose first line continues the chain; where that stands in the former
    /// place, or nil if both are the same.
    mutating func reopen() throws(AuditError) -> AuditChain? {
        guard let other = try sink.reopened() else { return nil }
        sink = other
        isLineOpen = false
        note = AuditNote(event: .opened, torn: note?.torn ?? 0, lost: note?.lost ?? 0)
        return chain
    }

    private mutating func settle(_ batch: AuditBatch, records: Int, standing count: Int) {
        let stands = batch.standing(after: count)
        let hadNote = note != nil
        if stands.lines > 0 { note = nil }
        miss(records - max(0, stands.lines - (hadNote ? 1 : 0)))
        note?.torn += Int64(stands.torn)
        chain = stands.chain
        if count > 0 { isLineOpen = batch.bytes[count - 1] != UInt8(ascii: "\n") }
    }
}
