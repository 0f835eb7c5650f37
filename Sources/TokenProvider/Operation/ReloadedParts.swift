import AuditLog
import Dispatch
import HTTPServer
import Locking
import Logging
import ServiceConfiguration
import TokenService

/// What of a running daemon a reload changes in place, beside the state that is swapped.
struct ReloadedParts: Sendable {
    /// A loop turns in less, in nanoseconds, unless it is stuck or has ended.
    private static let patience: UInt64 = 5_000_000_000

    /// Nil where https is not served.
    var certificates: CertificateReloader?
    var audit: AuditRecorder?
    var server: Server?
    var threshold: LogThreshold?
    /// Nil where requests were not logged at the start: nobody observes them then.
    var accessLog: AccessLog?
    /// As the daemon was started.
    let started: ConfigurationValues

    /// The state of a reading.
    func state(
        _ reading: LoadedConfiguration, _ callers: CallerSetup, after previous: ServingState, logger: Logger
    ) throws(ConfigurationErrors) -> ServingState {
        do {
            return try ServingState(reading, callers, after: previous, audit, logger: logger)
        } catch {
            throw ConfigurationErrors(sentences: ["\(error)"])
        }
    }

    /// Answers requests by the state; returns once every loop does, or has had the time to, with a sentence if one does not.
    func serve(_ state: ServingState, logger: Logger) -> [String] {
        guard let server else { return [] }
        let isServed = DispatchSemaphore(value: 0)
        let isAll = Guarded(false)
        server.serve(HTTPApplication(state.router, accessLog, logger: logger), within: Self.patience) { all in
            isAll.withLock { $0 = all }
            isServed.signal()
        }
        isServed.wait()
        guard !isAll.withLock({ $0 }) else { return [] }
        let seconds = Self.patience / 1_000_000_000
        return ["a loop has not turned for \(seconds) s, and answers by the previous state until it does"]
    }

    /// Takes what can be taken while the daemon runs; what cannot, a sentence each.
    func take(_ configuration: Configuration) -> [String] {
        if let settings = try? ServerSettings(configuration) { server?.take(settings) }
        threshold?.set(configuration.log.level)
        accessLog?.take(configuration.log)
        let values = configuration.values
        var later = SettingsTable.all.filter { $0.isReadAtStart && $0.differs(in: values, started) }.map {
            "\($0.path) has changed, which counts from the next start on"
        }
        if server != nil, accessLog == nil, configuration.log.logsRequests {
            later.append("requests were not logged at the start (log.access, log.level), and are from the next one on")
        }
        return later
    }
}
