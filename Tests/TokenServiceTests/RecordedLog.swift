import Logging
import TestSupport

/// A log whose lines a test reads: the level, the message, and the fields by their names.
final class RecordedLog: Sendable {
    private let lines = Locked("")

    var text: String { lines.withLock { $0 } }

    var logger: Logger { Logger(label: "test") { [lines] _ in RecordingHandler(lines: lines) } }
}

private struct RecordingHandler: LogHandler {
    let lines: Locked<String>
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let fields = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
        let text = fields.map { " \($0.key)=\($0.value)" }.joined()
        lines.withLock { $0 += "\(event.level) \(event.message)\(text)\n" }
    }
}

extension Logger {
    static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}
