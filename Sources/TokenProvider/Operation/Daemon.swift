import Dispatch
import FleetEngineToken
import HTTPServer
import HTTPServerHTTP2
import Logging
import OpenSSLSigner

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
    private let audit: AuditLog?
    private let logging: DaemonLogging
    private let maxConnections: Int
    private let hasTrailOnOutput: Bool

    /// Puts it together; `read` reads the configuration as it is later, for a reload.
    init(
        _ configuration: Configuration, _ signers: Signers, _ callers: CallerSetup, _ tls: TLSSetup,
        _ logging: DaemonLogging, _ surroundings: Surroundings = Surroundings(),
        reading read: @escaping @Sendable () throws(CallerErrors) -> ConfigurationValues
    ) throws {
        maxConnections = configuration.http.maxConnections
        hasTrailOnOutput = configuration.audit.output == .stdout
        (self.logging, logger) = (logging, logging.logger)
        audit = try AuditLog(configuration.audit, logger: logger)
        let route = try TokenRoute(configuration, signers, callers.tables, audit, logger: logger)
        callers.activate()
        let callerReloader = CallerReloader(route.gate, callers, logger: logger)
        reloader = Reloader(
            callerReloader,
            tls.server.map { [logger] in CertificateReloader(server: $0, logger: logger) }, logger: logger,
            reading: read)
        listeners = (configuration.values.listeners(serving: .public), configuration.values.listeners(serving: .admin))
        let application = Daemon.application(
            Router(token: route, crossOrigin: CrossOrigin(configuration.cors)),
            AccessLog(configuration.log, sink: logging.sink), logger: logger)
        let settings = try ServerSettings(configuration)
        server = try Server(
            listeningOn: listeners.apps.filter { !$0.isSecure }.map(\.address), secured: tls.secured(listeners.apps),
            inheriting: surroundings.sockets.sockets(of: .http, .https), settings: settings, application: application)
        readiness = Readiness(signers, audit, tls.server)
        let figures = Figures(
            server: server, handout: route.handout, limits: route.limits, callers: callerReloader,
            reloads: reloader.outcomes, readiness: readiness, signers: signers, audit: audit, tls: tls.server,
            maxConnections: maxConnections, maxCacheBytes: configuration.cache.maxBytes)
        let router = AdminRouter(
            liveness: Liveness(server: server), readiness: readiness, metrics: MetricsRoute(figures: figures),
            documents: try AdminDocuments(signers))
        admin = try Server(
            adminOn: listeners.admin.filter { !$0.isSecure }.map(\.address), secured: tls.secured(listeners.admin),
            inheriting: surroundings.sockets, as: settings, router, notice: Self.notice(to: logger))
        service = surroundings.manager.map { [admin] in ServiceState($0, of: figures, admin) }
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
        for url in Self.urls(admin, listeners.admin) { announce("admin on \(url)") }
        announce(urls.map { "listening on \($0)" }.joined(separator: "\n"))
        service?.start()
        ProcessSetup.releaseStartupCode()
        server.waitUntilStopped()
        reloader.stop()
        if let end = audit?.flush() { logger.info("the audit trail ends", metadata: end.metadata) }
        // Last, so that whoever watches the end sees it to the end.
        admin?.stop()
        admin?.waitUntilStopped()
        service?.flush()
        logger.notice("stopped")
        logging.sink.flush()
    }

    private func watchSignals() {
        let (server, readiness, logger) = (server, readiness, logger)
        let (reloader, audit, service) = (reloader, audit, service)
        _ = Signals {
            logger.notice("draining", metadata: ["reason": "signal"])
            service?.drain()
            readiness.drain()
            server.drain()
        } reload: {
            let group = DispatchGroup()
            reloader.reload(in: group)
            if audit != nil { group.enter() }
            audit?.reopen { result in
                defer { group.leave() }
                logger.tell(result)
            }
            service?.reload(until: group)
        }
    }

    /// What to give a client, for each address.
    var urls: [String] { Self.urls(server, listeners.apps) }

    /// A server has its addresses in the order of its listeners.
    private static func urls(_ server: Server?, _ listeners: [Configuration.Listener]) -> [String] {
        zip(server?.addresses ?? [], listeners).map { $0.url(isSecure: $1.isSecure) }
    }

    /// On standard output, unless that is an audit trail, in which nothing else may stand.
    private func announce(_ line: String) {
        if hasTrailOnOutput { Terminal.note(line) } else { Terminal.say(line) }
    }

    private var descriptorWarnings: [String] {
        guard server.descriptorLimit < maxConnections + Daemon.ownDescriptors else { return [] }
        return [
            "http.max_connections is \(maxConnections), but the process may have \(server.descriptorLimit) descriptors; "
                + "expected a higher limit (ulimit -n) or fewer connections"
        ]
    }

    private static func application(
        _ router: Router, _ accessLog: AccessLog?, logger: Logger
    ) -> HTTPApplication {
        var observe: (@Sendable (AccessRecord) -> Void)?
        if let accessLog { observe = { accessLog.record($0) } }
        return HTTPApplication(
            respond: { request, time in router.respond(to: request, at: time) },
            refuse: { rejection in ProblemAnswer.answer(rejection) },
            isExemptFromLimits: { request in Router.isExemptFromLimits(request) },
            notice: notice(to: logger), observe: observe)
    }

    private static func notice(to logger: Logger) -> @Sendable (ServerNotice) -> Void {
        { notice in logger.log(level: notice.level, "\(notice.sentence)") }
    }
}

extension ServerNotice {
    /// How much it matters: on the Internet somebody always does something wrong.
    fileprivate var level: Logger.Level {
        switch self {
        case .handshakeFailed, .clientRefused: .info
        case .acceptingPaused, .connectionsRefused, .answersAbandoned: .warning
        }
    }

    /// What the log says.
    fileprivate var sentence: String {
        switch self {
        case .acceptingPaused(let reason):
            "no connection can be accepted for the moment: \(reason)"
        case .connectionsRefused:
            "connections are closed unheard: http.max_connections or http.max_connections_per_address is reached"
        case .answersAbandoned:
            "a request was answered 503 (answer_abandoned): a part of this program let go of the answer it had promised"
        case .handshakeFailed(let reason):
            "a client and this server could not agree on a secure connection: \(reason)"
        case .clientRefused(let reason): "a client's connection was ended: \(reason)"
        }
    }
}

extension ServerSettings {
    init(_ configuration: Configuration) throws(HTTP2Error) {
        let (http, http2) = (configuration.http, configuration.http2)
        self.init()
        loops = http.loops
        unixSocketMode = http.unixSocketMode
        maxConnections = http.maxConnections
        maxConnectionsPerAddress = http.maxConnectionsPerAddress
        drainTimeout = http.drainTimeout.nanoseconds
        proxyProtocolFrom = configuration.proxies.proxyProtocol
        timeouts.head = http.headTimeout.nanoseconds
        timeouts.idle = http.idleTimeout.nanoseconds
        timeouts.write = http.writeTimeout.nanoseconds
        limits = HTTPLimits(
            maxLine: http.maxLine, maxHead: http.maxHead, maxFields: http.maxFields,
            maxDiscardedBody: http.maxDiscardedBody)
        guard http2.isEnabled || http2.priorKnowledge else { return }
        streams = try HTTP2(HTTP2Limits(http2)).streams
        recognisesPreface = http2.priorKnowledge
    }
}

extension Duration {
    fileprivate var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        return UInt64(max(0, seconds)) * 1_000_000_000 + UInt64(max(0, attoseconds) / 1_000_000_000)
    }
}
