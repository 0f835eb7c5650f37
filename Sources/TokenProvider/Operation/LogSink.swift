import Dispatch
import Glibc
import Locking
import ServiceConfiguration
import SystemFiles

/// Where log lines go: standard error, by way of a buffer and a thread of its own, so that no request ever waits for a
/// slow terminal, pipe or journal.
///
/// Lines are written together, every few milliseconds. What does not fit while nobody reads is dropped, and how many
/// lines that were is said in the next one written.
final class LogSink: Sendable {
    private struct Pending {
        var bytes: [UInt8] = []
        var isScheduled = false
        var dropped = 0
    }

    static let capacity = 1 << 20
    private static let delay = DispatchTimeInterval.milliseconds(10)

    private let descriptor: Int32
    private let format: Configuration.Log.Format
    private let isPrefixed: Bool
    private let pending = Guarded(Pending())
    private let queue = DispatchQueue(label: "log")

    /// A sink that writes to a descriptor which outlives it; `format` is for its own lines. Each line begins with its
    /// priority if it is for the journal.
    init(descriptor: Int32, format: Configuration.Log.Format, isJournal: Bool = false) {
        self.descriptor = descriptor
        self.format = format
        isPrefixed = isJournal
    }

    /// Appends one line, its line end included.
    func append(_ line: [UInt8], priority: LogPriority = .info) {
        let schedules = pending.withLock { pending in
            guard pending.bytes.count < LogSink.capacity else {
                pending.dropped += 1
                return false
            }
            if isPrefixed { pending.bytes += priority.prefix }
            pending.bytes += line
            defer { pending.isScheduled = true }
            return !pending.isScheduled
        }
        if schedules { queue.asyncAfter(deadline: .now() + LogSink.delay) { self.writePending() } }
    }

    /// Writes what is there, and returns once it is written or a second has passed: a log that nobody reads must not
    /// keep a process from ending.
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
        var line = LogLine(format, level: "warning", message: "log lines were dropped: nobody read them in time")
        line.add("count", dropped)
        put((isPrefixed ? LogPriority.warning.prefix : []) + line.bytes())
    }

    private func put(_ bytes: [UInt8]) {
        try? SystemCall.writeAll(bytes, to: descriptor) {
            _ = SystemCall.isReady(descriptor, for: POLLOUT, within: 1000)
            return true
        }
    }
}
