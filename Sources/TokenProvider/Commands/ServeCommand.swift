import SystemFiles
import ArgumentParser
import ServiceConfiguration
import TokenService

/// `token-provider serve`: the daemon.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve tokens until SIGTERM or SIGINT (the default subcommand).",
        discussion: """
            Every setting may stand in a configuration file or in the environment (TOKEN_PROVIDER_ and the key in \
            capitals, dots as underscores); the flags below are for the common ones. A flag wins over the environment, \
            the environment over the file, the file over the default. config/token-provider.full.yaml shows every key.

            Without a file, this is a whole deployment:

              token-provider serve --listen 127.0.0.1:8080 \\
                --credentials key.json --callers none
            """)

    @OptionGroup var serving: ServingOptions

    func run() throws {
        ProcessSetup.prepare()
        let surroundings = try Startup.orExit { try Surroundings.take() }
        let (source, flags, environment) = (serving.source, serving.flags, Environment.variables())
        let sockets = surroundings.sockets
        var files = FileWatch.Files()
        let resolver = source.read(flags, environment: environment, inheriting: sockets.named, noting: &files)
        let (configuration, warnings) = try Startup.orRefuse { () throws(ConfigurationErrors) in
            try resolver.configuration()
        }
        let logging = DaemonLogging(configuration.log)
        let (signers, callers, tls) = try parts(configuration, logging)
        let reading = LoadedConfiguration(configuration: configuration, signers: signers)
        let daemon = try Startup.orExit(telling: logging.complain) {
            try Daemon(reading, callers, tls, logging, surroundings, watching: files) {
                files throws(ConfigurationErrors) in
                try LoadedConfiguration(
                    source.read(flags, environment: environment, inheriting: sockets.named, noting: &files))
            }
        }
        daemon.run(warnings: warnings + signers.warnings + callers.warnings + tls.warnings)
    }

    /// What the files hold that the configuration names.
    private func parts(
        _ configuration: Configuration, _ logging: DaemonLogging
    ) throws -> (Signers, CallerSetup, TLSSetup) {
        let signers = try Startup.orRefuse(telling: logging.complain) { () throws(ConfigurationErrors) in
            try Signers(configuration)
        }
        let callers = try Startup.orRefuse(telling: logging.complain) { () throws(ConfigurationErrors) in
            try CallerSetup(configuration.values, logger: logging.logger)
        }
        let tls = try Startup.orRefuse(telling: logging.complain) { () throws(ConfigurationErrors) in
            try TLSSetup(configuration.values)
        }
        return (signers, callers, tls)
    }
}
