import AuditLog
import Dispatch
import HTTPServer
import Logging
import ServiceConfiguration
import TokenService

/// The daemon put together: what the configuration says, made into a server.
struct Daemon {
    let server: Server
    /// The listener for whoever runs the daemon; nil if there is none.
    private let admin: Server?
    private let readiness: Readiness
    /// Nil where no service manager wants to know.
    private let service: ServiceState?
    /// Descriptors that are no connection's, rounded up.
    private static let ownDescriptors = 64

    let logger: Logger
    private let reloader: Reloader
    private let listeners: (apps: [Configuration.Listener], admin: [Configuration.Listener])
    private let audit: AuditRecorder?
    private let logging: DaemonLogging
    private let maxConnections: Int
    private let hasTrailOnOutput: Bool

    /// Puts it together; `read` reads the files as they are later, for a reload, and `files` are those that were read.
    init(
        _ reading: LoadedConfiguration, _ callers: CallerSetup, _ tls: TLSSetup, _ logging: DaemonLogging,
        _ surroundings: Surroundings = Surroundings(), watching files: FileWatch.Files = FileWatch.Files(),
        reading read: @escaping @Sendable (inout FileWatch.Files) throws(ConfigurationErrors) -> LoadedConfiguration
    ) throws {
        let configuration = reading.configuration
        maxConnections = configuration.http.maxConnections
        hasTrailOnOutput = configuration.audit.output == .stdout
        (self.logging, logger) = (logging, logging.logger)
        try DescriptorShortage.check(configuration)
        audit = try AuditRecorder(configuration.audit, logger: logger)
        let state = try ServingState(reading, callers, audit, logger: logger)
        callers.activate()
        listeners = (configuration.values.listeners(serving: .public), configuration.values.listeners(serving: .admin))
        let accessLog = AccessLog(configuration.log, sink: logging.sink)
        let current = Swappable(state)
        let settings = try ServerSettings(configuration)
        server = try Server(
            listeningOn: configuration.values.plainListeners(serving: .public), secured: tls.secured(listeners.apps),
            inheriting: surroundings.sockets.sockets, settings: settings,
            application: HTTPApplication(state.router, accessLog, logger: logger))
        let parts = ReloadedParts(
            certificates: tls.server.map { [logger] in CertificateReloader(server: $0, logger: logger) }, audit: audit,
            server: server, threshold: logging.threshold, accessLog: accessLog, started: configuration.values)
        reloader = Reloader(current, parts, watching: files, logger: logger, reading: read)
        // The admin listener tells of a reload to whom it is told that the listener lives.
        let asked = Swappable<Server?>(nil)
        readiness = Readiness(
            reloader, audit, tls.server, demandsCertificates: listeners.apps.contains { $0.clients == .required })
        let figures = Figures(
            server: server, reloader: reloader, readiness: readiness, audit: audit, tls: tls.server)
        service = surroundings.manager.map { ServiceState($0, of: figures, asked) }
        admin = try Server(
            adminOn: configuration.values.plainListeners(serving: .admin), secured: tls.secured(listeners.admin),
            inheriting: surroundings.sockets.sockets, as: settings,
            AdminRouter(
                liveness: Liveness(server: server), readiness: readiness, metrics: MetricsRoute(figures: figures),
                reloading: ReloadRoute(reloader: reloader, reload: Daemon.reload(reloader, audit, service, logger))),
            notice: logger.tell)
        asked.replace(by: admin)
    }

    /// Says what is allowed but unwise, then serves until a signal has drained the server.
    func run(warnings: [String]) {
        for warning in warnings + descriptorWarnings {
            // Whatever the level: somebody should see it once.
            let line = LogLine(logging.format, level: "warning", message: warning)
            logging.sink.append(line.bytes(), priority: .warning)
        }
        watchSignals()
        server.start()
        admin?.start()
        // First, since whoever waits for the daemon waits for the other.
        announce(Self.urls(admin, listeners.admin).map { "admin on \($0)" })
        announce(urls.map { "listening on \($0)" })
        service?.start()
        reloader.watchFiles()
        ProcessSetup.releaseStartupCode()
        server.waitUntilStopped()
        reloader.stop()
        reloader.current.now.retained.refusals.writeSums()
        audit?.end(logger)
        // Last, so that whoever watches the end sees it to the end.
        admin?.stop()
        admin?.waitUntilStopped()
        service?.flush()
        logger.notice("stopped")
        logging.sink.flush()
    }

    private func watchSignals() {
        let (server, readiness, service, logger) = (server, readiness, service, logger)
        let reload = Daemon.reload(reloader, audit, service, logger)
        _ = Signals {
            logger.notice("draining", metadata: ["reason": "signal"])
            service?.drain()
            readiness.drain()
            server.drain()
        } reload: {
            reload { _ in }
        }
    }

    /// A reload of all that can be read anew, of which the service manager is told. The trail's file is opened anew before;
    /// where that cannot be done, what the files say counts all the same, and the failure is told.
    private static func reload(
        _ reloader: Reloader, _ audit: AuditRecorder?, _ service: ServiceState?, _ logger: Logger
    ) -> @Sendable (@escaping Reloader.Ended) -> Void {
        { ended in
            let group = DispatchGroup()
            group.enter()
            service?.reload(until: group)
            reloader.current.now.retained.refusals.writeSums()
            let reload = { @Sendable (problem: String?) in
                reloader.reload(without: problem) { outcome in
                    defer { group.leave() }
                    ended(outcome)
                }
            }
            if let audit { audit.reopen(logger, reload) } else { reload(nil) }
        }
    }

    /// What to give a client, for each address.
    var urls: [String] { Self.urls(server, listeners.apps) }

    /// A server has its addresses in the order of its listeners.
    private static func urls(_ server: Server?, _ listeners: [Configuration.Listener]) -> [String] {
        zip(server?.addresses ?? [], listeners).map { $0.url(isSecure: $1.isSecure) }
    }

    private func announce(_ sentences: [String]) {
        if !sentences.isEmpty { logging.announce(sentences, besideTrail: hasTrailOnOutput) }
    }

    private var descriptorWarnings: [String] {
        guard server.descriptorLimit < maxConnections + Daemon.ownDescriptors else { return [] }
        return [
            "http.max_connections is \(maxConnections), but the process may have \(server.descriptorLimit) descriptors; "
                + "expected a higher limit (ulimit -n) or fewer connections"
        ]
    }
}
