import ArgumentParser
import HTTPServer

/// `token-provider health`: whether a running daemon is well, for whoever can only run programs.
struct HealthCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Ask a running daemon whether it is well.",
        discussion: """
            Asks the admin listener, as the configuration and the environment give it (admin.listen), and writes its \
            answer. Made for the health checks of containers:

              HEALTHCHECK CMD ["token-provider", "health"]

            Without --ready it asks /healthz: whether every loop turns; where one does not, a restart helps. With \
            --ready it asks /readyz: whether a request for a token can be answered with one.

            Of the configuration only the address has to be right, so that a daemon which serves on while its file is \
            broken is well. Where the file cannot be read at all, and no variable says otherwise, the default is asked.

            Exit status: 0 where the daemon is well, 1 where it is not or does not answer in time, 64 for a wrong command \
            line, 78 where the configuration says the address wrongly, or that there is none.
            """)

    @OptionGroup var admin: AdminOptions

    @Flag(help: "Ask whether it can hand out tokens, too.")
    var ready = false

    @Option(help: ArgumentHelp("Seconds for the answer, 1 to 60.", valueName: "seconds"))
    var timeout = 5

    func run() throws {
        ProcessSetup.prepare()
        let client = try admin.client(patience: timeout, within: 1...60)
        let answer = try Startup.orExit { try client.get(ready ? .readiness : .health) }
        try Startup.deliver(answer.body)
        guard answer.status == HTTPStatus.ok.rawValue else { throw ExitCode.failure }
    }
}
