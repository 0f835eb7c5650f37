import ArgumentParser
import ServiceConfiguration
import SystemFiles

/// `token-provider check`: reports what `serve` would do, without doing it.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say all that is wrong with a configuration and its keys, or what serve would do by it.",
        discussion: """
            Takes the flags of serve and reads what serve would read. Every key is loaded and proved by a signature; the \
            audit trail's file is opened, and nothing is written or made; no address is listened on.

              token-provider check --config token-provider.yaml

            The report is on standard output, what is wrong is on standard error. With --json one object holds both: \
            starts (whether serve would start), errors, warnings, listen, admin and kinds, of which the last three are \
            null where the settings themselves are wrong. Of each kind: kind, state (on, off or broken), account, kid, file, role, \
            lifetime (seconds) and settings (which together turn on a kind that is off); null where there is none.

            Exit status: 0 where serve would start, 64 for a wrong command line, 78 for anything else that is wrong.
            """)

    @OptionGroup var serving: ServingOptions

    @Flag(help: "Write JSON for programs.")
    var json = false

    func run() throws {
        ProcessSetup.prepare()
        let environment = Environment.variables()
        let report = CheckReport(
            Configuration.read(file: serving.source.config, flags: serving.flags, environment: environment))
        if json {
            try Startup.deliver(CheckJSON.text(report))
        } else {
            try Startup.deliver(CheckText(isColoured: Terminal.showsColour(environment)).text(report))
            for error in report.errors { Terminal.complain(error) }
        }
        guard report.errors.isEmpty else {
            throw report.isMisuse ? ExitCode.validationFailure : ExitCode.configuration
        }
    }
}
