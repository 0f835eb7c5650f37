import Logging
import ServiceConfiguration

/// Writes swift-log's events as lines of the daemon's log.
struct DaemonLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    let threshold: LogThreshold
    let sink: LogSink

    init(_ configuration: Configuration.Log, sink: LogSink) {
        threshold = LogThreshold(configuration.level)
        self.sink = sink
    }

    /// All loggers share the daemon's threshold.
    var logLevel: Logger.Level {
        get { threshold.level }
        set { threshold.set(newValue) }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var line = LogLine(sink.form, level: event.level, message: "\(event.message)")
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        for (key, value) in all.sorted(by: { $0.key < $1.key }) { line.add(key, "\(value)") }
        sink.append(line.bytes())
    }
}
