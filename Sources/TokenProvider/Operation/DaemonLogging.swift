import Logging

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
}

extension Logger {
    /// For whoever looks without serving.
    static let silent = Logger(label: "token-provider") { _ in SwiftLogNoOpLogHandler() }
}
