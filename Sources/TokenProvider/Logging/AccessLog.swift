import HTTPServer
import ServiceConfiguration
import Synchronization

/// Writes a log line for each answered request, or for one in every `log.access_sample`. A reload can change that.
final class AccessLog: Sendable {
    /// Logs one request in so many; 0 logs none.
    private let every: Atomic<Int>
    private let sink: LogSink
    private let count = Atomic(0)

    /// Nil if requests are not logged, so that the server does not observe them at all.
    init?(_ configuration: Configuration.Log, sink: LogSink) {
        guard configuration.logsRequests else { return nil }
        every = Atomic(configuration.accessSample)
        self.sink = sink
    }

    /// Applies a new configuration; the format of a line stays.
    func apply(_ configuration: Configuration.Log) {
        every.store(configuration.logsRequests ? configuration.accessSample : 0, ordering: .relaxed)
    }

    func record(_ record: AccessRecord) {
        let every = every.load(ordering: .relaxed)
        guard every == 1 || every > 1 && count.wrappingAdd(1, ordering: .relaxed).newValue % every == 0 else { return }
        var line = LogLine(sink.form, level: .info, message: "request")
        line.add("method", record.method?.rawValue ?? "-")
        line.add("path", record.annotation.route.isEmpty ? "-" : record.annotation.route)
        line.add("status", record.status.rawValue)
        line.add("duration_us", Int(record.duration / 1000))
        line.add("bytes", record.bodyBytes)
        line.add("request_id", record.requestID)
        if let given = record.clientRequestID { line.add("client_request_id", given) }
        if let trace = record.traceID { line.add("trace_id", trace) }
        if !record.annotation.subject.isEmpty { line.add("id", record.annotation.subject) }
        if !record.annotation.code.isEmpty { line.add("code", record.annotation.code) }
        if !record.annotation.rule.isEmpty { line.add("rule", record.annotation.rule) }
        sink.append(line.bytes())
    }
}
