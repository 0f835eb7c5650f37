import ArgumentParser
import HTTPServer
import OpenSSLSigner
import ServiceConfiguration
import SystemFiles
import TokenService

/// `token-provider demo`: a server to try, without credentials and without danger.
struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Serve made-up tokens on this machine; no credentials needed.",
        discussion: """
            Signs with a key made in memory, for a service account that does not exist. Everything works as with real \
            credentials, but Fleet Engine will not accept the tokens.
            """)

    @Option(help: ArgumentHelp("A loopback ADDR:PORT or unix:PATH.", valueName: "address"))
    var listen = "127.0.0.1:8080"

    @Flag(help: "Serve https, by a certificate made in memory that no client trusts.")
    var tls = false

    @Option(help: "trace, debug, info, notice, warning, error or critical.")
    var logLevel: String?

    func run() throws {
        ProcessSetup.prepare()
        let configuration = try load()
        let security = try Startup.orRefuse { () throws(ConfigurationErrors) in
            try tls ? TLSSetup.selfSigned(hasHTTP2: configuration.http2.isEnabled) : TLSSetup(configuration.values)
        }
        let signer = try Startup.orExit { try RS256Signer.demo() }
        let logging = DaemonLogging(configuration.log)
        let daemon = try Startup.orExit {
            let callers = try CallerSetup(configuration.values, logger: logging.logger)
            let reading = LoadedConfiguration(configuration: configuration, signers: Signers(all: signer))
            return try Daemon(reading, callers, security, logging) { _ in reading }
        }
        guard let address = daemon.server.addresses.first, let url = daemon.urls.first else { return }
        Terminal.say(introduction(at: address, url))
        daemon.run(warnings: [])
    }

    private func load() throws -> Configuration {
        let flags = ConfigurationFlags(
            listen: [listen], credentials: "demo", callers: "none", logLevel: logLevel, logFormat: nil)
        do {
            // Nobody runs a demo for longer than they look at it.
            let environment = ["TOKEN_PROVIDER_ADMIN_LISTEN": ""]
            let (configuration, _) = try Configuration.load(file: nil, flags: flags, environment: environment)
            guard configuration.listen.allSatisfy(\.isLoopback) else {
                Terminal.complain("--listen: the demo serves this machine only; expected a loopback address")
                throw ExitCode.validationFailure
            }
            return tls ? configuration.listeningByTLS : configuration
        } catch let error as ConfigurationErrors {
            throw Startup.refuse(error)
        }
    }

    private func introduction(at address: SocketAddress, _ url: String) -> String {
        // The certificate is known to nobody, so that -k must say that it need not be.
        let program = tls ? "curl -k" : "curl"
        var curl = "\(program) '\(url)"
        if case .unix(let path) = address {
            curl = "\(program) --unix-socket '\(path)' '\(tls ? "https" : "http")://localhost"
        }
        return """
            This is a demo: its tokens are signed with a key made just now, for an account that does not exist.
            Fleet Engine will not accept them. Try, from another terminal:

              \(curl)/token?tripID=trip-1'
              \(curl)/token?vehicleID=vehicle-1&expiration=relative'

            """
    }
}

extension Configuration {
    /// The same, with TLS spoken where it was not.
    fileprivate var listeningByTLS: Configuration {
        var values = values
        (values.tls.listen, values.listen) = (values.listen, [])
        return Configuration(checked: values)
    }
}
