import Glibc

/// An audit trail on a descriptor that a collector reads, such as standard output: what is written is on its way, and
/// how durable it becomes is the collector's matter.
struct AuditStream: AuditSink {
    /// For how long, in milliseconds, a reader may not read before that counts as a failure.
    static let patience: Int32 = 500

    let place = "standard output"
    /// Outlives the sink.
    let descriptor: Int32
    var patience = AuditStream.patience

    /// Standard output, unless nobody can ever read it: what stands in for one that was closed is no place for a record.
    static func standardOutput() throws(AuditError) -> AuditStream {
        var (output, null) = (stat(), stat())
        let isNull = fstat(1, &output) == 0 && stat("/dev/null", &null) == 0 && output.st_rdev == null.st_rdev
        let stream = AuditStream(descriptor: 1)
        guard output.st_mode & S_IFMT != S_IFCHR || !isNull else {
            throw AuditError(
                place: stream.place, problem: "is closed, or /dev/null, which keeps nothing; expected a collector")
        }
        return stream
    }

    func put(_ batch: AuditBatch) throws(AuditFailure) {
        try AuditOutput.write(batch.bytes, to: descriptor, patience: patience)
    }
}
