import ArgumentParser
import FleetEngineToken
import ServiceConfiguration
import SystemFiles
import TokenService

/// Where a command's configuration and keys come from.
struct ConfigurationOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Configuration file (YAML).", valueName: "file"))
    var config: String?

    @Option(
        help: ArgumentHelp(
            "Service-account key file (JSON). GOOGLE_APPLICATION_CREDENTIALS stands in for it.", valueName: "file"))
    var credentials: String?

    /// The configuration that flags, environment and file give, and what is unwise about it; what is wrong is said and
    /// ends the program.
    func load(
        _ flags: ConfigurationFlags, rules: [ConfigurationRule] = ConfigurationRule.binding,
        inheriting inherited: [ListenerTakeover.Socket] = []
    ) throws -> (configuration: Configuration, warnings: [String]) {
        try Startup.orRefuse { () throws(ConfigurationErrors) in
            try Configuration.load(
                file: config, flags: flags, environment: Environment.variables(), rules: rules, inheriting: inherited)
        }
    }

    /// The same for who wants what could be read, and which files those are, even where something is wrong.
    func read(
        _ flags: ConfigurationFlags, environment: [String: String], inheriting inherited: [ListenerTakeover.Socket],
        noting files: inout FileWatch.Files
    ) -> ConfigurationResolver {
        files.note(config ?? environment[EnvironmentNames.configurationFile])
        let read = Configuration.read(file: config, flags: flags, environment: environment, inheriting: inherited)
        for path in read.values.files { files.note(path) }
        return read
    }

    /// The configuration and the signers of these kinds, served or not: who runs the command holds the keys. What is
    /// unwise about a key file is said.
    func loadSigners(of kinds: [TokenKind]) throws -> (Configuration, Signers) {
        let (configuration, _) = try load(
            ConfigurationFlags(credentials: credentials), rules: ConfigurationRule.ofKeys)
        let signers = try Startup.orRefuse { () throws(ConfigurationErrors) in
            try Signers(configuration, of: kinds)
        }
        for warning in signers.warnings { Terminal.warn(warning) }
        return (configuration, signers)
    }
}

/// What is served, where and to whom: the flags of the daemon.
struct ServingOptions: ParsableArguments {
    @OptionGroup var source: ConfigurationOptions

    @Option(
        help: ArgumentHelp(
            "ADDR:PORT, [v6]:PORT or unix:PATH; may be given more than once. Port 0 lets the system choose.",
            valueName: "address"))
    var listen: [String] = []

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "The kinds of tokens to serve; without it every kind that names specific ids and has a key.",
            valueName: "kind"))
    var kinds: [String] = []

    @Option(
        help: ArgumentHelp(
            "Who is asked for proof of who they are: none means nobody, which must be said in so many words where the "
                + "file does not say who may call.", valueName: "callers"))
    var callers: String?

    @Option(help: "trace, debug, info, notice, warning, error or critical.")
    var logLevel: String?

    @Option(help: "text or json.")
    var logFormat: String?

    /// What the flags set.
    var flags: ConfigurationFlags {
        ConfigurationFlags(
            listen: listen, credentials: source.credentials, kinds: kinds, callers: callers, logLevel: logLevel,
            logFormat: logFormat)
    }
}
