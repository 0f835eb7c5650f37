import TestSupport
import Dispatch
import Glibc

@testable import ServiceConfiguration
@testable import TokenProvider

/// A log that is written to a pipe, which is not read until `readToEnd` or `readSome`.
final class LogPipe: Sendable {
    private static let lastLine = "end of the test\n"

    let sink: LogSink
    private let reader: Int32
    private let writer: Int32

    init(format: Configuration.Log.Format = .text, isNonblocking: Bool = false) {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        if isNonblocking { _ = fcntl(ends[1], F_SETFL, O_NONBLOCK) }
        (reader, writer) = (ends[0], ends[1])
        sink = LogSink(descriptor: writer, format: format)
    }

    deinit {
        // A line written later would go to the next file that gets the descriptor's number.
        sink.flush()
        close(reader)
        close(writer)
    }

    func append(_ line: String) { sink.append(Array("\(line)\n".utf8)) }

    /// All lines, written and pending: everything before a last line that is appended here. The text is incomplete if
    /// nothing more arrives.
    func readToEnd() -> String {
        let text = Locked("")
        let read = DispatchSemaphore(value: 0)
        let reader = reader
        DispatchQueue(label: "pipe reader").async {
            let all = LogPipe.read(reader)
            text.withLock { $0 = all }
            read.signal()
        }
        sink.flush()
        sink.append(Array(LogPipe.lastLine.utf8))
        read.wait()
        return text.withLock { $0 }
    }

    /// What was written since the last call. Waits for the first byte; empty if none arrives.
    func readSome() -> String {
        guard LogPipe.hasMore(reader) else { return "" }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(reader, &buffer, buffer.count)
        return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
    }

    private static func read(_ reader: Int32) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !bytes.suffix(lastLine.utf8.count).elementsEqual(lastLine.utf8) {
            guard hasMore(reader) else { break }
            let count = Glibc.read(reader, &buffer, buffer.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes.dropLast(lastLine.utf8.count), as: UTF8.self)
    }

    private static func hasMore(_ reader: Int32) -> Bool {
        var entry = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, Patience.milliseconds) > 0
    }
}
