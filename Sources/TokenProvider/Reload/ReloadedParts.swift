import Concurrency
import Dispatch
import HTTPServer
import Logging
import ServiceConfiguration
import SystemFiles
import TokenService

/// The parts of a running daemon that a reload changes in place, beside the state that it replaces.
struct ReloadedParts: Sendable {
    /// Nanoseconds. An event loop that takes longer for one turn is blocked or has ended.
    private static let patience: UInt64 = 5_000_000_000

    var server: Server?
    var threshold: LogThreshold?
    /// Nil if requests were not logged at the start; then the server does not observe them.
    var accessLog: AccessLog?
    /// The settings at the start.
    let started: Configuration

    /// Makes every event loop answer by the state. Returns once they all do, or with a warning if one is blocked.
    func serve(_ state: ServingState, logger: Logger) -> [String] {
        guard let server else { return [] }
        let finished = DispatchSemaphore(value: 0)
        let isComplete = Guarded(false)
        server.serve(state.router.application(accessLog, logger: logger), within: Self.patience) { all in
            isComplete.withLock { $0 = all }
            finished.signal()
        }
        finished.wait()
        guard !isComplete.withLock({ $0 }) else { return [] }
        let seconds = Self.patience / 1_000_000_000
        return ["an event loop has been busy for \(seconds) s; it uses the previous configuration until it is free"]
    }

    /// Applies the settings that can change while the daemon runs. Returns a sentence for each change that needs a restart.
    func apply(_ state: ServingState) -> [String] {
        let configuration = state.configuration
        server?.take(state.server)
        threshold?.set(configuration.log.level)
        accessLog?.apply(configuration.log)
        var needRestart = SettingsTable.all.filter { $0.isReadAtStart && $0.differs(in: configuration, started) }.map {
            "\($0.path) changed; restart to apply"
        }
        if server != nil, accessLog == nil, configuration.log.logsRequests {
            needRestart.append("log.access or log.level turned on the access log; restart to apply")
        }
        return needRestart + unseen(CredentialCopies.own.missed(configuration.files))
    }

    /// A sentence for each file that has changed, or may have, of which the daemon has only the copy from the start.
    private func unseen(_ missed: CredentialCopies.Missed) -> [String] {
        missed.unknown.map { "systemd copied \($0) at the start; restart to apply changes of the original" }
            + missed.changed.map {
                "\($0) changed, but the daemon may not read it and has a copy from the start; restart to apply, or let "
                    + "the service's group read the file"
            }
    }
}

extension Router {
    /// What the listeners for apps serve. Without an access log the server observes no answers.
    func application(_ accessLog: AccessLog?, logger: Logger) -> HTTPApplication {
        var observe: (@Sendable (AccessRecord) -> Void)?
        if let accessLog { observe = { accessLog.record($0) } }
        return application(notice: { logger.log($0) }, observe: observe)
    }
}
