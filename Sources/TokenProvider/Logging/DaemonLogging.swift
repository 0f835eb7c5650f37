import Logging
import ServiceConfiguration

/// The daemon's log: its sink, threshold and logger.
struct DaemonLogging {
    fileprivate static let attention: StaticString = "settings or files need attention"

    let sink: LogSink
    let threshold: LogThreshold
    let logger: Logger

    init(_ configuration: Configuration.Log) {
        let sink = LogSink(descriptor: 2, format: configuration.format)
        let handler = DaemonLogHandler(configuration, sink: sink)
        (self.sink, threshold) = (sink, handler.threshold)
        logger = Logger(label: "token-provider") { _ in handler }
    }

    /// Writes what a supervisor may wait for: at once, whatever the level. It goes to standard output, or to standard error
    /// if standard output is the audit log, which holds nothing else.
    func announce(_ sentences: [String], isOutputAuditLog: Bool) {
        let form = isOutputAuditLog ? sink.form : LogForm(sink.form.format, on: 1)
        let lines = sentences.flatMap { LogLine(form, level: .info, message: $0).bytes() }
        Terminal.write(lines, on: isOutputAuditLog ? 2 : 1)
    }

    /// Writes at once why the daemon does not start.
    func complain(_ sentence: String) {
        Terminal.write(LogLine(sink.form, level: .error, message: sentence).bytes(), on: 2)
    }

    /// Warns at the start, whatever the log's level, so that each warning is seen once.
    func warn(of sentences: [String]) {
        for sentence in sentences {
            var line = LogLine(sink.form, level: .warning, message: "\(Self.attention)")
            line.add("reason", sentence)
            sink.append(line.bytes())
        }
    }
}

extension Logger {
    /// Warns of settings and files of the operator, a sentence each.
    func warn(of sentences: [String]) {
        for sentence in sentences { warning("\(DaemonLogging.attention)", metadata: ["reason": "\(sentence)"]) }
    }

    /// Notes how the daemon runs, a sentence each.
    func note(_ sentences: [String], at level: Level = .info) {
        for sentence in sentences { log(level: level, "how the daemon runs", metadata: ["reason": "\(sentence)"]) }
    }

    /// For commands that do not serve.
    static let silent = Logger(label: "token-provider") { _ in SwiftLogNoOpLogHandler() }
}
