import Concurrency
import Dispatch
import Glibc
import ServiceConfiguration
import SystemFiles

/// Buffers log lines and writes them on a queue of its own, so that no request waits for a slow terminal, pipe or journal.
///
/// Lines are written together, every few milliseconds. If the buffer is full because the reader is slow, new lines are
/// dropped, and the next line that is written has their number.
final class LogSink: Sendable {
    private struct Pending {
        var bytes: [UInt8] = []
        var isScheduled = false
        var dropped = 0
    }

    static let capacity = 1 << 20
    private static let delay = DispatchTimeInterval.milliseconds(10)

    private let descriptor: Int32
    /// That of all lines.
    let form: LogForm
    private let pending = Guarded(Pending())
    private let queue = DispatchQueue(label: "log")

    /// Writes to a descriptor that must outlive the sink.
    init(descriptor: Int32, format: Configuration.Log.Format) {
        self.descriptor = descriptor
        form = LogForm(format, on: descriptor)
    }

    /// Appends one line, which includes its line feed.
    func append(_ line: [UInt8]) {
        let schedules = pending.withLock { pending in
            guard pending.bytes.count < LogSink.capacity else {
                pending.dropped += 1
                return false
            }
            pending.bytes += line
            defer { pending.isScheduled = true }
            return !pending.isScheduled
        }
        if schedules { queue.asyncAfter(deadline: .now() + LogSink.delay) { self.writePending() } }
    }

    /// Writes what is buffered. Returns after a second at the latest, because a reader that stopped reading must not keep
    /// the process from exiting.
    func flush() {
        let written = DispatchSemaphore(value: 0)
        queue.async {
            self.writePending()
            written.signal()
        }
        _ = written.wait(timeout: .now() + .seconds(1))
    }

    private func writePending() {
        let (bytes, dropped) = pending.withLock { pending in
            defer { pending = Pending() }
            return (pending.bytes, pending.dropped)
        }
        put(bytes)
        guard dropped > 0 else { return }
        var line = LogLine(form, level: .warning, message: "log lines were dropped: the log's reader is too slow")
        line.add("count", dropped)
        put(line.bytes())
    }

    private func put(_ bytes: [UInt8]) {
        try? SystemCall.writeAll(bytes, to: descriptor) {
            _ = SystemCall.isReady(descriptor, for: POLLOUT, within: 1000)
            return true
        }
    }
}
