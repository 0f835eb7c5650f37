import Logging
import ServiceConfiguration
import SystemFiles

/// The daemon's log: its sink, format, threshold and logger.
struct DaemonLogging {
    fileprivate static let attention: StaticString = "settings or files need attention"

    let sink: LogSink
    let format: Configuration.Log.Format
    let threshold: LogThreshold
    let logger: Logger

    init(_ configuration: Configuration.Log) {
        let sink = LogSink(descriptor: 2, format: configuration.format, isJournal: Journal.readsErrors)
        let handler = DaemonLogHandler(configuration, sink: sink)
        (self.sink, format, threshold) = (sink, configuration.format, handler.threshold)
        logger = Logger(label: "token-provider") { _ in handler }
    }

    /// Writes what a supervisor may wait for: at once, whatever the level. It goes to standard output, or to standard error
    /// if standard output is the audit log, which holds nothing else.
    func announce(_ sentences: [String], isOutputAuditLog: Bool) {
        if isOutputAuditLog {
            for sentence in sentences {
                if isJSON { Terminal.put(line("info", sentence), .info) } else { Terminal.note(sentence) }
            }
        } else {
            Terminal.say(sentences.map { isJSON ? line("info", $0) : $0 }.joined(separator: "\n"))
        }
    }

    /// Writes at once why the daemon does not start.
    func complain(_ sentence: String) {
        if isJSON { Terminal.put(line("error", sentence), .error) } else { Terminal.complain(sentence) }
    }

    /// Warns at the start, whatever the log's level, so that each warning is seen once.
    func warn(of sentences: [String]) {
        for sentence in sentences {
            var line = LogLine(format, level: "warning", message: "\(Self.attention)")
            line.add("reason", sentence)
            sink.append(line.bytes(), priority: .warning)
        }
    }

    private var isJSON: Bool { format == .json }

    /// A line without its line feed.
    private func line(_ level: String, _ message: String) -> String {
        String(decoding: LogLine(format, level: level, message: message).bytes().dropLast(), as: UTF8.self)
    }
}

extension Logger {
    /// Warns of settings and files of the operator, a sentence each.
    func warn(of sentences: [String]) {
        for sentence in sentences { warning("\(DaemonLogging.attention)", metadata: ["reason": "\(sentence)"]) }
    }

    /// Notes how the daemon runs, a sentence each.
    func note(_ sentences: [String]) {
        for sentence in sentences { info("how the daemon runs", metadata: ["reason": "\(sentence)"]) }
    }

    /// For commands that do not serve.
    static let silent = Logger(label: "token-provider") { _ in SwiftLogNoOpLogHandler() }
}
