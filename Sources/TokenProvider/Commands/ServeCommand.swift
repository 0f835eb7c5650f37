import ArgumentParser

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

              token-provider serve --listen 127.0.0.1:8080 --credentials key.json --callers none
            """)

    @Option(help: ArgumentHelp("Configuration file (YAML).", valueName: "file"))
    var config: String?

    @Option(
        help: ArgumentHelp(
            "ADDR:PORT, [v6]:PORT or unix:PATH; may be given more than once. Port 0 lets the system choose.",
            valueName: "address"))
    var listen: [String] = []

    @Option(
        help: ArgumentHelp(
            "Service-account key file (JSON). GOOGLE_APPLICATION_CREDENTIALS stands in for it.", valueName: "file"))
    var credentials: String?

    @Option(
        help: ArgumentHelp(
            "Who is asked for proof of who they are: none means nobody, which is required in so many words to listen "
                + "beyond this machine.", valueName: "callers"))
    var callers: String?

    @Option(help: "trace, debug, info, notice, warning, error or critical.")
    var logLevel: String?

    @Option(help: "text or json.")
    var logFormat: String?

    func run() throws {
        ProcessSetup.prepare()
        let (configuration, warnings) = try load()
        let signers = try load(configuration)
        let daemon = try Startup.orExit { try Daemon(configuration, signers: signers) }
        daemon.run(warnings: warnings + signers.warnings)
    }

    private func load() throws -> (Configuration, warnings: [String]) {
        let flags = ConfigurationFlags(
            listen: listen, credentials: credentials, callers: callers, logLevel: logLevel, logFormat: logFormat)
        do {
            return try Configuration.load(file: config, flags: flags, environment: Startup.environment())
        } catch {
            throw Startup.refuse(error)
        }
    }

    private func load(_ configuration: Configuration) throws -> Signers {
        do {
            return try Signers(configuration)
        } catch {
            throw Startup.refuse(error.sentences)
        }
    }
}
