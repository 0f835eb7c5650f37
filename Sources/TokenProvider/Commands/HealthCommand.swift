import ArgumentParser
import HTTPServer

/// `token-provider health`: whether a running daemon is healthy, for health checks that run a program.
struct HealthCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Check whether a running daemon is healthy.",
        discussion: """
            Examples:

              token-provider health
              token-provider health --ready --url http://127.0.0.1:8090

            Requests /healthz of the admin listener, which says whether every event loop \
            responds, or /readyz with --ready, and writes the answer. Other errors in the \
            configuration file do not matter. Suitable as HEALTHCHECK of a container.

            Exit status:
              0   healthy, or ready
              1   not healthy, not ready, or no answer in time
              64  wrong command line
              78  the configuration has no usable admin.listen
            """)

    @OptionGroup var admin: AdminOptions

    @Flag(help: "Check whether the daemon can answer with tokens (/readyz).")
    var ready = false

    @Option(help: ArgumentHelp("Time to wait for the answer, 1 to 60 seconds.", valueName: "seconds"))
    var timeout = 5

    func run() throws {
        ProcessSetup.prepare()
        let client = try admin.client(timeout: timeout, within: 1...60)
        let answer = try Startup.orExit { try client.get(ready ? .readiness : .health) }
        try Startup.deliver(answer.body)
        guard !answer.confirms(ready ? "ready" : "alive") else { return }
        if answer.status == HTTPStatus.ok.rawValue {
            Terminal.complain("\(answer.address) does not answer as a daemon; expected its admin listener")
        }
        throw ExitCode.failure
    }
}
