import HTTPServer
import Synchronization

/// One line for every answered request, or for one in so many.
final class AccessLog: Sendable {
    private let format: Configuration.Log.Format
    private let every: Int
    private let sink: LogSink
    private let count = Atomic(0)

    /// Nil if requests are not logged: then nobody observes them, which costs nothing.
    init?(_ configuration: Configuration.Log, sink: LogSink) {
        guard configuration.logsRequests else { return nil }
        format = configuration.format
        every = configuration.accessSample
        self.sink = sink
    }

    func record(_ record: AccessRecord) {
        guard every == 1 || count.wrappingAdd(1, ordering: .relaxed).newValue % every == 0 else { return }
        var line = LogLine(format, level: "info", message: "request")
        line.add("method", record.method?.rawValue ?? "-")
        line.add("path", record.annotation.route.isEmpty ? "-" : record.annotation.route)
        line.add("status", record.status.rawValue)
        line.add("duration_us", Int(record.duration / 1000))
        line.add("bytes", record.bodyBytes)
        line.add("request_id", record.requestID)
        if !record.annotation.subject.isEmpty { line.add("id", record.annotation.subject) }
        if !record.annotation.code.isEmpty { line.add("code", record.annotation.code) }
        if !record.annotation.rule.isEmpty { line.add("rule", record.annotation.rule) }
        sink.append(line.bytes())
    }
}
