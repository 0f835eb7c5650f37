import Logging

/// swift-log's messages as our lines.
struct DaemonLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel: Logger.Level
    let format: Configuration.Log.Format
    let sink: LogSink

    init(_ configuration: Configuration.Log, sink: LogSink) {
        logLevel = Logger.Level(rawValue: configuration.level.rawValue) ?? .info
        format = configuration.format
        self.sink = sink
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var line = LogLine(format, level: event.level.rawValue, message: "\(event.message)")
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        for (key, value) in all.sorted(by: { $0.key < $1.key }) { line.add(key, "\(value)") }
        sink.append(line.bytes(), priority: LogPriority(event.level))
    }
}
