import ArgumentParser
import HTTPServer
import OpenSSLSigner
import SeparateSigning
import ServiceConfiguration
import SystemFiles
import TokenService

/// `token-provider serve`: the daemon.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve tokens until SIGTERM, SIGINT or SIGQUIT (the default command).",
        discussion: """
            Examples:

              token-provider serve --config token-provider.yaml
              token-provider serve --listen 127.0.0.1:8080 \\
                --credentials key.json --callers none

            A flag wins over the environment, the environment over the file. The setting \
            log.level is TOKEN_PROVIDER_LOG_LEVEL in the environment. \
            config/token-provider.full.yaml has every setting.

            Exit status:
              0   stopped by SIGTERM, SIGINT or SIGQUIT
              1   could not start, or was ended by a second signal
              64  wrong command line
              78  wrong configuration or key file
            """)

    @OptionGroup var serving: ServingOptions

    func run() throws {
        Signals.keepReloads()
        ProcessSetup.prepare()
        let (daemon, process, warnings) = try start()
        daemon.run(warnings: warnings)
        if process?.isLost == true { throw ExitCode.failure }
    }

    /// The daemon, and warnings. Nothing here keeps the loaded configuration: a reload must be able to free the keys.
    private func start() throws -> (Daemon, SigningProcess?, warnings: [String]) {
        let service = try Startup.orExit { try ServiceEnvironment.take() }
        let (source, flags, environment) = (serving.source, serving.flags, Environment.variables())
        let sockets = service.sockets
        var files = FileWatch.Files()
        let resolver = source.read(flags, environment: environment, inheriting: sockets.named, noting: &files)
        let (configuration, warnings) = try Startup.orRefuse { () throws(ConfigurationErrors) in
            try resolver.configuration()
        }
        let logging = DaemonLogging(configuration.log)
        let hardware = HardwareKeys { change in change.log(to: logging.logger) }
        let process = try Startup.orExit(reporting: logging.complain) {
            try SigningProcess.start(configuration, logger: logging.logger)
        }
        let confined = { (signers: Signers?) in
            DaemonSandbox(
                configuration, signers, file: source.path(environment), notifying: service.manager, environment)
        }
        let early = configuration.pkcs11.module == nil ? nil : confined(nil)
        let signers = try Startup.orRefuse(reporting: logging.complain) { () throws(ConfigurationErrors) in
            try Signers(configuration, hardware, in: process)
        }
        let sandbox = early ?? confined(signers)
        try Startup.orRefuse(reporting: logging.complain) { () throws(ConfigurationErrors) in
            try sandbox.check(signers, environment)
        }
        process?.activate()
        let parts = ServingParts(configuration, logger: logging.logger)
        // Status 1, not 78: a library that lacks a security fix is not a wrong configuration.
        try Startup.orExit(reporting: logging.complain) { if let fault = parts.libraryFault { throw fault } }
        try Startup.orRefuse(reporting: logging.complain, parts.check)
        var loaded = LoadedConfiguration(configuration: configuration, signers: signers, warnings: signers.warnings)
        loaded.file = source.path(environment)
        let daemon = try Startup.orExit(reporting: logging.complain) {
            try Daemon(
                version: TokenProviderCommand.version, loaded, parts, logging, service, watching: files
            ) { files throws(ConfigurationErrors) in
                let read = source.read(
                    flags, environment: environment, inheriting: sockets.named, noting: &files)
                try sandbox.check(read.values)
                let loaded = try LoadedConfiguration(read, hardware, in: process)
                try sandbox.check(loaded.signers, environment)
                return loaded
            }
        }
        sandbox.log(to: logging.logger)
        return (daemon, process, warnings + sandbox.warnings)
    }
}
