import ArgumentParser
import Glibc
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
            of the systemd unit, as root, it judges by that unit: its user, variables, credentials, \
            folders and sockets. The report is on standard output, errors are on standard error.

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

    @Flag(help: "Judge by this shell's user and variables, also for the file of the systemd unit.")
    var here = false

    @Flag(name: .shortAndLong, help: "Print errors and warnings only.")
    var quiet = false

    private static let unjudged =
        "checked for this user, not for \(ServiceUnit.name), whose user only root can become; expected sudo, or --here"

    func run() throws {
        ProcessSetup.prepare()
        let isColoured = Terminal.showsColour(Environment.variables())
        let unit = here || serving.source.config != ServiceUnit.configuration ? nil : ServiceUnit()
        let view = try Startup.orRefuse { () throws(ConfigurationErrors) in
            try geteuid() == 0 ? unit.map { (unit) throws(ConfigurationErrors) in try ServiceView(unit) } : nil
        }
        let environment = Environment.variables()
        let isUnjudged = unit != nil && view == nil && environment["CREDENTIALS_DIRECTORY"] == nil
        let report = CheckReport(
            Configuration.read(
                file: serving.source.config, flags: serving.flags, environment: environment,
                rules: ConfigurationRule.ofDaemon(environment),
                inheriting: SocketUnits.sockets(for: serving.source.config)
            ).fitting(),
            fetchingKeys: online, for: view, notes: isUnjudged ? [Self.unjudged] : [])
        if json {
            try Startup.deliver(report.json)
        } else {
            let text = CheckText(isColoured: isColoured, isQuiet: quiet).text(report)
            if !text.isEmpty { try Startup.deliver(text, isStyled: true) }
            for error in report.errors + report.outages { Terminal.complain(error) }
        }
        guard report.errors.isEmpty else {
            throw report.isMisuse ? ExitCode.validationFailure : ExitCode.configuration
        }
        guard report.outages.isEmpty else { throw ExitCode.failure }
    }
}
