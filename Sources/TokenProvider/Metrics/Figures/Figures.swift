import AuditLog
import HTTPServer
import HTTPServerTLS
import TokenService

/// Where the daemon's figures come from: the one source of what metrics and the service manager are told.
struct Figures: Sendable {
    /// What serves apps.
    let server: Server
    let reloader: Reloader
    let readiness: Readiness
    /// Nil if no trail is kept.
    let audit: AuditRecorder?
    /// Nil where https is not served.
    let tls: TLSServer?
    /// When the daemon was put together, on both clocks.
    let start = ServerTime.now()

    /// What answers requests now.
    var state: ServingState { reloader.current.now }

    var retained: RetainedState { state.retained }

    /// The figures in one sentence, and why a former configuration is kept to if it is.
    var summary: String {
        let tokens = retained.cache.statistics
        let failure = reloader.history.last.failure?.first.map { "; not reloaded: \($0)" } ?? ""
        return "Serving: \(server.openConnections) connections open, \(tokens.mints) tokens signed, "
            + "\(tokens.entries) kept\(failure)"
    }

    /// All metrics, of what was counted by now. `lags`: the nanoseconds that each loop took to turn when it was asked.
    func families(at now: ServerTime, lags: [UInt64]) -> [MetricFamily] {
        let statistics = server.statistics
        return [
            requests(statistics), connections(statistics), tokens(statistics), callers(statistics), keySets,
            secrets(at: now), operation(at: now, lags: lags), process, build,
        ].flatMap { $0 }
    }

    private var build: [MetricFamily] {
        [
            MetricFamily(
                .info, "token_provider_build", "The program.",
                [MetricSample([("version", TokenProviderCommand.version)], 1)])
        ]
    }

    private var process: [MetricFamily] {
        let figures = ProcessFigures()
        return [
            MetricFamily(
                .counter, "process_cpu_seconds", in: .seconds, "Processor time of user and system.",
                [MetricSample([], figures.processorTime)]),
            MetricFamily(
                .gauge, "process_resident_memory_bytes", in: .bytes, "Resident memory.",
                figures.residentBytes.map { [MetricSample([], $0)] } ?? []),
            MetricFamily(
                .gauge, "process_virtual_memory_bytes", in: .bytes, "Virtual memory.",
                figures.virtualBytes.map { [MetricSample([], $0)] } ?? []),
            MetricFamily(
                .gauge, "process_open_fds", "Open descriptors.",
                figures.descriptors.map { [MetricSample([], $0)] } ?? []),
            MetricFamily(
                .gauge, "process_max_fds", "Descriptors that the process may have.",
                [MetricSample([], server.descriptorLimit)]),
            MetricFamily(
                .gauge, "process_start_time_seconds", in: .seconds,
                "When the daemon was put together, in seconds since the epoch.",
                [MetricSample([], .whole(start.epochSeconds))]),
        ]
    }
}

extension DurationHistogram {
    /// As a sample in seconds.
    func sample(_ labels: [MetricSample.Label]) -> MetricSample {
        MetricSample(
            labels, bounds: bounds.map { .seconds(nanoseconds: $0) }, counts: counts, sum: .seconds(nanoseconds: sum))
    }

    /// Whether nothing was counted.
    var isEmpty: Bool { counts.allSatisfy { $0 == 0 } }
}
