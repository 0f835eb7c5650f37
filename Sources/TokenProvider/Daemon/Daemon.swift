// Where to find what, as `file: function`:
//
// assembly     Daemon.swift: Daemon.init makes the server and the admin listener of a loaded configuration
// serving      Daemon.swift: Daemon.run; each request goes to HTTPApplication.init in Reload/ReloadedParts.swift
// SIGTERM      Signals.swift: Signals.received; Daemon.swift: watchSignals drains, then Daemon.run ends everything in order
// SIGHUP       Reload/ReloadSequence.swift: ReloadSequence.run, also for POST /reload; Reload/Reloader.swift: replaceAll swaps the
//              state, and Reloader.watchFiles reloads when files change
import AuditLog
import HTTPClient
import HTTPServer
import Logging
import ServiceConfiguration
import TokenService

/// The running daemon: the server for apps, the admin listener, and what reloads and stops them.
struct Daemon {
    let server: Server
    /// Nil without an admin listener.
    private let admin: Server?
    private let readiness: Readiness
    /// Nil without a service manager.
    private let service: ServiceState?

    let logger: Logger
    private let reload: ReloadSequence
    private let listeners: (apps: [Configuration.Listener], admin: [Configuration.Listener])
    private let logging: DaemonLogging
    private let memory: MemoryPlan
    private let sockets: [ListenerTakeover.Socket]
    private let warnings: [String]
    private let isOutputAuditLog: Bool

    /// Loads the state and opens the listeners, but does not serve yet. `load` loads the files again for a reload, and `files`
    /// are those that were loaded now.
    init(
        version: String, _ loaded: LoadedConfiguration, _ parts: ServingParts, _ logging: DaemonLogging,
        _ environment: ServiceEnvironment = ServiceEnvironment(), watching files: FileWatch.Files = FileWatch.Files(),
        loading load: @escaping @Sendable (inout FileWatch.Files) throws(ConfigurationErrors) -> LoadedConfiguration
    ) throws {
        let configuration = loaded.configuration
        memory = MemoryPlan(configuration)
        sockets = environment.sockets.named
        isOutputAuditLog = configuration.audit.output == .stdout
        (self.logging, logger) = (logging, logging.logger)
        try DescriptorShortage.check(configuration)
        let state = try ServingState(loaded, parts, logger: logger) { try AuditRecorder(configuration, logging) }
        warnings = state.warnings + memory.warnings + DescriptorShortage.warnings(of: configuration)
        listeners = (configuration.listeners(serving: .public), configuration.listeners(serving: .admin))
        let accessLog = AccessLog(configuration.log, sink: logging.sink)
        let current = Swappable(state)
        server = try Server(
            listeningOn: configuration.plainListeners(serving: .public), secured: state.tls.secured(listeners.apps),
            inheriting: environment.sockets.sockets, settings: state.server,
            application: state.router.application(accessLog, logger: logger))
        let reloaded = ReloadedParts(
            server: server, threshold: logging.threshold, accessLog: accessLog, started: configuration)
        let reloader = Reloader(current, reloaded, watching: files, logger: logger, loading: load)
        readiness = Readiness(current, demandsCertificates: listeners.apps.contains { $0.clients == .required })
        let metrics = DaemonMetrics(version: version, server: server, reloader: reloader, readiness: readiness)
        // The admin listener answers by the service state, which in turn checks the admin listener's event loop.
        let watched = Swappable<Server?>(nil)
        service = environment.manager.map { ServiceState($0, metrics, watched) }
        reload = ReloadSequence(reloader: reloader, service: service, logger: logger)
        admin = try Server(
            adminOn: configuration.plainListeners(serving: .admin), secured: state.tls.secured(listeners.admin),
            inheriting: environment.sockets.sockets, as: state.server,
            AdminRouter(
                hosts: AdminHosts(configuration.admin.allowedHosts), metrics: metrics, reload: reload,
                console: ConsoleRoute(metrics, configuration, configuredBy: loaded.file)),
            notice: { [logger] in logger.log($0) })
        watched.replace(by: admin)
    }

    /// Logs warnings, and how it runs at this level, then serves until a signal has drained the server.
    func run(warnings: [String], notesAt level: Logger.Level = .info) {
        logging.warn(of: warnings + self.warnings)
        ClockWatch.shared.report { [logger] in
            logger.warning("the clock is wrong", metadata: ["reason": "\($0.sentence)"])
        }
        logger.note(sockets.map(\.sentence) + memory.sentences, at: level)
        reload.reloader.current.now.noteWay(after: nil, to: logger)
        // Before a signal can start a later state.
        reload.reloader.current.now.start()
        watchSignals()
        server.start()
        admin?.start()
        // The admin address first: a supervisor that waits for the other one then has both.
        announce(Self.urls(admin, listeners.admin).map { "admin on \($0)" })
        announce(urls.map { "listening on \($0)" })
        service?.start()
        reload.reloader.watchFiles()
        server.waitUntilStopped()
        stop()
    }

    /// Ends everything after the server has drained.
    private func stop() {
        let state = reload.reloader.current.now
        state.retire(for: nil)
        reload.reloader.writeRefusalSums()
        state.retained.audit?.end(logging)
        // Last, so that a client that polls it sees the whole stop.
        admin?.stop()
        admin?.waitUntilStopped()
        service?.flush()
        logger.notice("stopped")
        logging.sink.flush()
    }

    private func watchSignals() {
        let (server, readiness, service, logger, reload) = (server, readiness, service, logger, reload)
        _ = Signals {
            logger.notice("draining", metadata: ["reason": "signal"])
            service?.drain()
            readiness.drain()
            server.drain()
        } reload: {
            reload.run()
        }
    }

    /// The URLs for clients, one for each address.
    var urls: [String] { Self.urls(server, listeners.apps) }

    /// A server has its addresses in the order of its listeners.
    private static func urls(_ server: Server?, _ listeners: [Configuration.Listener]) -> [String] {
        zip(server?.addresses ?? [], listeners).map { $0.url(isSecure: $1.isSecure) }
    }

    private func announce(_ sentences: [String]) {
        if !sentences.isEmpty { logging.announce(sentences, isOutputAuditLog: isOutputAuditLog) }
    }
}

extension ServiceState {
    /// Reports the metrics of a daemon, as long as the event loops of its server and its admin listener turn.
    fileprivate convenience init(_ manager: ServiceManager, _ metrics: DaemonMetrics, _ admin: Swappable<Server?>) {
        self.init(manager) {
            metrics.summary
        } afterTurn: { done in
            metrics.server.afterTurn { admin.now.map { $0.afterTurn(done) } ?? done() }
        }
    }
}
