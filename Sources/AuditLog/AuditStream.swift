import Glibc
import SystemFiles

/// An audit log on a descriptor that a collector reads, such as standard output. A written line counts as durable; the
/// collector is responsible for storing it.
package struct AuditStream: AuditSink {
    /// Milliseconds without a read by the collector that count as a failure.
    static let patience: Int32 = 500

    package let place = "standard output"
    /// Outlives the sink.
    let descriptor: Int32
    var patience = AuditStream.patience

    /// Standard output, unless it was closed or is /dev/null: then no program would ever read the records.
    package static func standardOutput() throws(AuditError) -> AuditStream {
        var (output, null) = (stat(), stat())
        let isNull = fstat(1, &output) == 0 && stat("/dev/null", &null) == 0 && output.st_rdev == null.st_rdev
        let stream = AuditStream(descriptor: 1)
        guard output.st_mode & S_IFMT != S_IFCHR || !isNull else {
            throw AuditError(
                place: stream.place, problem: "is closed, or /dev/null, which keeps nothing; expected a collector")
        }
        return stream
    }

    package func put(_ batch: AuditBatch) throws(AuditFailure) {
        var rest = batch.bytes[...]
        while !rest.isEmpty {
            let written = batch.bytes.count - rest.count
            guard SystemCall.isReady(descriptor, for: POLLOUT, within: patience) else {
                throw AuditFailure(reason: "cannot be written: its reader does not read", written: written)
            }
            // A writable pipe takes this many bytes at once; more might wait for the reader forever (pipe(7)).
            let count = SystemCall.write(rest.prefix(Int(PIPE_BUF)), to: descriptor)
            if count < 0, errno == EAGAIN { continue }
            guard count > 0 else {
                throw AuditFailure(reason: AuditFailure("cannot be written").reason, written: written)
            }
            rest = rest.dropFirst(count)
        }
    }
}
