import Logging
import ServiceConfiguration
import SystemFiles

/// The daemon's log: where its lines go, in which form, and by which logger.
struct DaemonLogging {
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

    /// Says something that whoever started the daemon may wait for, so at once and whatever the level. On standard output,
    /// unless that is an audit trail, in which nothing else may stand.
    func announce(_ sentences: [String], besideTrail: Bool) {
        if besideTrail {
            for sentence in sentences {
                if isJSON { Terminal.put(line("info", sentence), .info) } else { Terminal.note(sentence) }
            }
        } else {
            Terminal.say(sentences.map { isJSON ? line("info", $0) : $0 }.joined(separator: "\n"))
        }
    }

    /// Says why the daemon does not start, at once.
    func complain(_ sentence: String) {
        if isJSON { Terminal.put(line("error", sentence), .error) } else { Terminal.complain(sentence) }
    }

    private var isJSON: Bool { format == .json }

    /// A line, without its end.
    private func line(_ level: String, _ message: String) -> String {
        String(decoding: LogLine(format, level: level, message: message).bytes().dropLast(), as: UTF8.self)
    }
}

extension Logger {
    /// For whoever looks without serving.
    static let silent = Logger(label: "token-provider") { _ in SwiftLogNoOpLogHandler() }
}
