/// An audit trail on a descriptor that a collector reads, such as standard output: what is written is on its way, and
/// how durable it becomes is the collector's matter.
struct AuditStream: AuditSink {
    /// For how long, in milliseconds, a reader may not read before that counts as a failure.
    static let patience: Int32 = 500

    /// Outlives the sink.
    let descriptor: Int32
    var patience = AuditStream.patience

    func put(_ batch: AuditBatch) throws(AuditFailure) {
        try AuditOutput.write(batch.bytes, to: descriptor, patience: patience)
    }
}
