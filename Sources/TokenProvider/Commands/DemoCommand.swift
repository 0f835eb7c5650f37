import ArgumentParser
import CallerAccess
import HTTPServer
import OpenSSLCrypto
import OpenSSLSigner
import ServiceConfiguration
import SystemFiles
import TokenService

/// `token-provider demo`: a server to try, without credentials.
struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Serve example tokens, without credentials.",
        discussion: """
            Examples:

              token-provider demo
              token-provider demo --tls --callers

            The tokens are signed with a key made in memory for an account that does not \
            exist, so Fleet Engine refuses them. Everything else works as in serve.

            Exit status:
              0   stopped by SIGTERM, SIGINT or SIGQUIT
              1   could not start
              64  wrong command line
            """)

    @Option(
        help: ArgumentHelp(
            "ADDR:PORT or unix:PATH. Port 0 means any free port. Default: 127.0.0.1:8080; in a container, every address.",
            valueName: "address"))
    var listen: String?

    @Flag(help: "Serve https with a certificate made in memory, which no client trusts.")
    var tls = false

    @Option(
        help: ArgumentHelp(
            "Ask for tokens of the Firebase Auth emulator for this project, which nothing signs. Default: no tokens.",
            valueName: "project")
    )
    var firebaseEmulator: String?

    @Flag(help: "Ask for tokens of two example drivers, which the page has and nothing signs. Default: no tokens.")
    var callers = false

    @Option(help: "trace, debug, info, notice, warning, error or critical. Default: info.")
    var logLevel: String?

    func run() throws {
        Signals.keepReloads()
        ProcessSetup.prepare()
        let configuration = try load()
        let security = try Startup.orRefuse { () throws(ConfigurationErrors) in
            try tls ? TLSSetup.selfSigned(hasHTTP2: configuration.http2.isEnabled) : nil
        }
        let signer = try Startup.orExit { try RS256Signer.demo() }
        let signers = Signers(all: signer)
        let sandbox = DaemonSandbox(configuration, signers)
        let logging = DaemonLogging(configuration.log)
        let daemon = try Startup.orExit {
            let parts = ServingParts(configuration, security, logger: logging.logger)
            var loaded = LoadedConfiguration(configuration: configuration, signers: signers)
            loaded.pages = .playground(
                verifyingBy: try JWKSet.render(loaded.signers.publicKeys()), asEmulatorOf: project,
                hasDrivers: callers)
            let demo = loaded
            return try Daemon(version: TokenProviderCommand.version, demo, parts, logging) { _ in demo }
        }
        guard let address = daemon.server.addresses.first, let url = daemon.urls.first else { return }
        Terminal.say(introduction(at: address, url))
        let unsigned = project.map {
            "\(callers ? "--callers" : "--firebase-emulator") accepts unsigned tokens for \($0): anyone can make them; "
                + "use it for development alone"
        }
        daemon.run(warnings: sandbox.warnings + [unsigned].compactMap(\.self), notesAt: .debug)
    }

    /// The project whose unsigned tokens are accepted; nil for callers without tokens.
    private var project: String? { firebaseEmulator ?? (callers ? "demo" : nil) }

    private func load() throws -> Configuration {
        let flags = ConfigurationFlags(
            listen: listen.map { [$0] } ?? [], credentials: "demo", callers: "none", logLevel: logLevel, logFormat: nil)
        // No admin listener: a demo needs no monitoring. Google publishes no key that was made just now.
        var environment = ["TOKEN_PROVIDER_ADMIN_LISTEN": "", "TOKEN_PROVIDER_GOOGLE_KEYS_INTERVAL": "0s"]
        for name in [EnvironmentNames.port, EnvironmentNames.defaultsFile, "TOKEN_PROVIDER_SANDBOX"] {
            environment[name] = Environment.variables()[name]
        }
        let configuration = try Startup.orRefuse { () throws(ConfigurationErrors) in
            try Configuration.read(file: nil, flags: flags, environment: environment).fitting().configuration()
                .configuration
        }
        let secured = tls ? configuration.listeningByTLS : configuration
        guard let project else { return secured }
        return try Startup.orMisuse { () throws(IssuerPolicyError) in
            try secured.trustingEmulator(of: project, drivers: callers)
        } sentence: {
            "--firebase-emulator: \($0.sentence)"
        }
    }

    private func introduction(at address: SocketAddress, _ url: String) -> String {
        // No client trusts the certificate, so curl needs -k.
        var program = tls ? "curl -k" : "curl"
        if project != nil { program += " -H \"Authorization: Bearer $ID_TOKEN\"" }
        // Every address includes this machine's own, and a container's port is published there.
        let reachable = url.replacing("//0.0.0.0:", with: "//127.0.0.1:").replacing("//[::]:", with: "//127.0.0.1:")
        var curl = "\(program) '\(reachable)"
        if case .unix(let path) = address {
            curl = "\(program) --unix-socket '\(path)' '\(tls ? "https" : "http")://localhost"
        }
        var playground = ""
        if case .unix = address {} else { playground = "\nOr open \(reachable)/ in a browser.\n" }
        let unsigned = project.map { "\nIt accepts unsigned tokens of the Firebase emulator for \($0).\n" }
        return """
            This is a demo: its tokens are signed with a key made just now, for an account that does not exist.
            Fleet Engine will not accept them. \(unsigned ?? "")Try, from another terminal:

              \(curl)/token?tripID=trip-1'
              \(curl)/token?vehicleID=vehicle-1&expiration=relative'
            \(playground)
            """
    }
}

extension Configuration {
    /// The same, with all listeners using TLS.
    fileprivate var listeningByTLS: Configuration {
        var configuration = self
        (configuration.tls.listen, configuration.listen) = (listen, [])
        return configuration
    }
}
