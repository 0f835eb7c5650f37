import ArgumentParser
import ServiceConfiguration
import SystemFiles

/// `token-provider check`: reports what `serve` would do, without doing it.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Report every error in a configuration and its files, or what serve would do.",
        discussion: """
            Examples:

              token-provider check --config token-provider.yaml
              token-provider check --config token-provider.yaml --online --json

            Reads every file that serve would read and makes a signature with each key. It \
            writes nothing, listens nowhere and, without --online, asks no issuer. For the file \
            of the systemd unit it expects the sockets of the enabled units. The report is on \
            standard output, errors are on standard error.

            Exit status:
              0   serve would start
              1   keys of an issuer could not be fetched, with --online
              64  wrong command line
              78  anything else is wrong
            """)

    @OptionGroup var serving: ServingOptions

    @Flag(help: "Write one JSON object, which includes the errors.")
    var json = false

    @Flag(help: "Also fetch the keys of every issuer.")
    var online = false

    func run() throws {
        ProcessSetup.prepare()
        let environment = Environment.variables()
        let report = CheckReport(
            Configuration.read(
                file: serving.source.config, flags: serving.flags, environment: environment,
                rules: ConfigurationRule.ofDaemon(environment),
                inheriting: SocketUnits.sockets(for: serving.source.config)
            ).fitting(),
            fetchingKeys: online)
        if json {
            try Startup.deliver(report.json)
        } else {
            try Startup.deliver(
                CheckText(isColoured: Terminal.showsColour(environment)).text(report), isStyled: true)
            for error in report.errors { Terminal.complain(error) }
        }
        guard report.errors.isEmpty else {
            throw report.isMisuse ? ExitCode.validationFailure : ExitCode.configuration
        }
        guard report.outages.isEmpty else { throw ExitCode.failure }
    }
}
