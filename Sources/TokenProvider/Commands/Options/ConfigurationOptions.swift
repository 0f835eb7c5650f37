import ArgumentParser
import FleetEngineToken
import ServiceConfiguration
import SystemFiles
import TokenService

/// The source of a command's configuration and keys.
struct ConfigurationOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Configuration file (YAML). Default: TOKEN_PROVIDER_CONFIG.", valueName: "file"))
    var config: String?

    @Option(
        help: ArgumentHelp(
            "Service-account key file (JSON). Default: the configuration, then GOOGLE_APPLICATION_CREDENTIALS.",
            valueName: "file"))
    var credentials: String?

    /// The configuration from flags, environment and file. Reports errors and ends the program.
    func load(rules: [ConfigurationRule] = ConfigurationRule.binding) throws -> Configuration {
        try Startup.orRefuse { () throws(ConfigurationErrors) in
            try Configuration.load(
                file: config, flags: ConfigurationFlags(credentials: credentials), environment: Environment.variables(),
                rules: rules
            ).configuration
        }
    }

    /// The path of the configuration's file; nil without one.
    func path(_ environment: [String: String]) -> String? { config ?? environment[EnvironmentNames.configurationFile] }

    /// What can be read even if something is wrong, with defaults that fit the memory. Notes which files that are.
    func read(
        _ flags: ConfigurationFlags, environment: [String: String], inheriting inherited: [ListenerTakeover.Socket],
        noting files: inout FileWatch.Files
    ) -> ConfigurationResolver {
        files.note(path(environment))
        let read = Configuration.read(
            file: config, flags: flags, environment: environment,
            rules: ConfigurationRule.ofDaemon(environment), inheriting: inherited)
        for path in read.values.files { files.note(path) }
        return read.fitting()
    }

    /// The configuration and the signers of the kinds that are served, or of one that need not be, because the operator has
    /// the key. Reports warnings about key files.
    func loadSigners(of kind: TokenKind? = nil) throws -> (Configuration, Signers) {
        let configuration = try load(rules: ConfigurationRule.ofKeys)
        let kinds = kind.map { [$0] } ?? TokenKind.allCases.filter { configuration.keyFile(of: $0) != nil }
        let signers = try Startup.orRefuse { () throws(ConfigurationErrors) in
            try Signers(configuration, of: kinds)
        }
        for warning in signers.warnings { Terminal.warn(warning) }
        return (configuration, signers)
    }
}

/// The flags of the daemon: what it serves, and where.
struct ServingOptions: ParsableArguments {
    @OptionGroup var source: ConfigurationOptions

    @Option(
        help: ArgumentHelp(
            "ADDR:PORT, [v6]:PORT or unix:PATH; may be repeated. Port 0 means any free port. Default: the "
                + "configuration, then 127.0.0.1:8080.",
            valueName: "address"))
    var listen: [String] = []

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "The kinds of tokens to serve, with commas or spaces between them; may be repeated. Default: the "
                + "configuration, then every kind that names specific ids and has a key.",
            valueName: "kind"))
    var kinds: [String] = []

    @Option(
        help: ArgumentHelp(
            "none turns authentication off, which a configuration without issuers, keys or rules needs. Default: "
                + "callers authenticate as configured.", valueName: "callers"))
    var callers: String?

    @Option(
        help: "trace, debug, info, notice, warning, error or critical. Default: the configuration, then info.")
    var logLevel: String?

    @Option(help: "text or json. Default: the configuration, then text.")
    var logFormat: String?

    /// What the flags set.
    var flags: ConfigurationFlags {
        ConfigurationFlags(
            listen: listen, credentials: source.credentials, kinds: kinds, callers: callers, logLevel: logLevel,
            logFormat: logFormat)
    }
}
