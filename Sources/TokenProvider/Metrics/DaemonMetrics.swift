import AuditLog
import HTTPServer
import HTTPServerTLS
import TokenService

/// The daemon's metrics, and the status line for the service manager, which use the same sources.
struct DaemonMetrics: Sendable {
    let version: String
    /// The server for apps.
    let server: Server
    let reloader: Reloader
    let readiness: Readiness
    /// When the daemon was created, on both clocks.
    let start = ServerTime.now()

    var state: ServingState { reloader.current.now }

    var retained: RetainedState { state.retained }

    /// Nil without TLS.
    var tls: TLSServer? { state.tls.server }

    /// One line for the service manager, with the reason if the last reload failed.
    var summary: String {
        let tokens = retained.cache.statistics
        let failure = reloader.history.last.failure?.first.map { "; not reloaded: \($0)" } ?? ""
        return "Serving: \(server.openConnections) connections open, \(tokens.mints) tokens signed, "
            + "\(tokens.entries) cached\(failure)"
    }

    /// All metrics as they are now. `lags` has the nanoseconds that each event loop took to respond.
    func families(at now: ServerTime, lags: [UInt64]) -> [MetricFamily] {
        let statistics = server.statistics
        return [
            requests(statistics), connections(statistics), memory(statistics), tokens(statistics),
            remoteSigning, callers(statistics), keySets, expirations(at: now).map(\.family), ages(at: now),
            health(at: now, lags: lags), process, build,
        ].flatMap { $0 }
    }

    private var build: [MetricFamily] {
        [
            MetricFamily(
                .info, "token_provider_build", "The program's version.", [MetricSample([("version", version)], 1)])
        ]
    }

    private var process: [MetricFamily] {
        let process = ProcessMetrics()
        return [
            MetricFamily(
                .counter, "process_cpu_seconds", in: .seconds, "CPU time.",
                MetricNumber.billionths(process.processorTime)),
            MetricFamily(
                .gauge, "process_resident_memory_bytes", in: .bytes, "Resident memory.", process.residentBytes),
            MetricFamily(.gauge, "process_virtual_memory_bytes", in: .bytes, "Virtual memory.", process.virtualBytes),
            MetricFamily(.gauge, "process_open_fds", "Open file descriptors.", process.descriptors),
            MetricFamily(.gauge, "process_max_fds", "Limit of open file descriptors.", server.descriptorLimit),
            MetricFamily(
                .gauge, "process_start_time_seconds", in: .seconds, "Start time, in seconds since the epoch.",
                start.epochSeconds),
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
