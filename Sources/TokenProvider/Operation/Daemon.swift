import FleetEngineToken
import HTTPServer
import Logging
import OpenSSLSigner

/// The daemon put together: what the configuration says, made into a server.
struct Daemon {
    let server: Server
    /// Descriptors that are no connection's, rounded up.
    private static let ownDescriptors = 64

    let logger: Logger
    private let sink: LogSink
    private let format: Configuration.Log.Format
    private let maxConnections: Int

    init(_ configuration: Configuration, signers: Signers) throws {
        format = configuration.log.format
        maxConnections = configuration.http.maxConnections
        sink = LogSink(descriptor: 2, format: format)
        let handler = DaemonLogHandler(configuration.log, sink: sink)
        logger = Logger(label: "token-provider") { _ in handler }
        let route = try Daemon.tokenRoute(configuration, signers: signers, logger: logger)
        let application = Daemon.application(
            Router(token: route, crossOrigin: CrossOrigin(configuration.cors)),
            AccessLog(configuration.log, sink: sink), logger: logger)
        server = try Server(
            listeningOn: configuration.listen, settings: ServerSettings(configuration.http), application: application)
    }

    /// Says what is allowed but unwise, then serves until a signal has drained the server.
    func run(warnings: [String]) {
        for warning in warnings + descriptorWarnings {
            // Whatever the level: somebody should see it once.
            sink.append(LogLine(format, level: "warning", message: warning).bytes())
        }
        let server = server
        let logger = logger
        _ = Signals {
            logger.notice("draining", metadata: ["reason": "signal"])
            server.drain()
        }
        server.start()
        for address in server.addresses { Terminal.say("listening on \(address.url)") }
        ProcessSetup.releaseStartupCode()
        server.waitUntilStopped()
        logger.notice("stopped")
        sink.flush()
    }

    private var descriptorWarnings: [String] {
        guard server.descriptorLimit < maxConnections + Daemon.ownDescriptors else { return [] }
        return [
            "http.max_connections is \(maxConnections), but the process may have \(server.descriptorLimit) descriptors; "
                + "expected a higher limit (ulimit -n) or fewer connections"
        ]
    }

    private static func tokenRoute(
        _ configuration: Configuration, signers: Signers, logger: Logger
    ) throws -> TokenRoute {
        let label = IDLabel(digest: configuration.log.ids == .digest ? try KeyedDigest.random() : nil)
        return TokenRoute(
            kinds: try ServedKinds(absence: configuration.absence(of:)) { kind in
                try signers.minter(of: kind, configuration)
            },
            cache: TokenCache(
                maxBytes: configuration.cache.maxBytes, reuseFraction: configuration.cache.reuseFraction),
            answer: TokenAnswer(names: configuration.answer) { configuration.tokenSettings(of: $0).clientMargin },
            ignoredParameters: Set(configuration.request.ignoredParameters.map { Array($0.utf8) }), label: label,
            logger: logger)
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
            notice: { notice in logger.warning("\(notice.sentence)") }, observe: observe)
    }
}

extension ServerNotice {
    /// What the log says.
    fileprivate var sentence: String {
        switch self {
        case .acceptingPaused(let reason):
            "no connection can be accepted for the moment: \(reason)"
        case .connectionsRefused:
            "connections are closed unheard: http.max_connections or http.max_connections_per_address is reached"
        }
    }
}

extension SocketAddress {
    /// What to give a client.
    var url: String {
        if case .unix = self { return description }
        return "http://\(description)"
    }
}

extension ServerSettings {
    init(_ http: Configuration.HTTP) {
        self.init()
        loops = http.loops
        maxConnections = http.maxConnections
        maxConnectionsPerAddress = http.maxConnectionsPerAddress
        drainTimeout = http.drainTimeout.nanoseconds
        timeouts.head = http.headTimeout.nanoseconds
        timeouts.idle = http.idleTimeout.nanoseconds
        timeouts.write = http.writeTimeout.nanoseconds
        limits = HTTPLimits(
            maxLine: http.maxLine, maxHead: http.maxHead, maxFields: http.maxFields,
            maxDiscardedBody: http.maxDiscardedBody)
    }
}

extension Duration {
    fileprivate var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        return UInt64(max(0, seconds)) * 1_000_000_000 + UInt64(max(0, attoseconds) / 1_000_000_000)
    }
}
