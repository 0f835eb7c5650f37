import ArgumentParser
import SystemFiles

/// The program: its subcommands, its version, and `serve` when none is named.
@main
struct TokenProviderCommand: ParsableCommand {
    /// By semantic versioning, as in CHANGELOG.md.
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "token-provider",
        abstract: "Hands short-lived Fleet Engine tokens to apps.",
        discussion: """
            Try it without credentials:

              token-provider demo

            Serve tokens signed with a service account's key:

              token-provider serve --listen 127.0.0.1:8080 \\
                --credentials key.json --callers none
              curl 'http://127.0.0.1:8080/token?tripID=trip-1'

            See what a configuration would do and all that is wrong with it, without starting anything:

              token-provider check --config token-provider.yaml

            Ask Fleet Engine yourself, as the driver of a vehicle would:

              curl -H "$(token-provider mint --vehicle v-1 --header)" URL

            See why Fleet Engine refuses a token:

              token-provider inspect TOKEN

            Publish the keys by which tokens are verified:

              token-provider jwks > keys.json

            Exit status: 0 after a stop by SIGTERM or SIGINT, 64 for a wrong command line, 78 for a wrong configuration \
            or signing key, 1 for anything else. An inspect --key that cannot be used is a wrong command line.
            """,
        version: version,
        subcommands: [
            ServeCommand.self, DemoCommand.self, CheckCommand.self, ReloadCommand.self, HealthCommand.self,
            MintCommand.self,
            InspectCommand.self, JWKSCommand.self, APIKeyCommand.self, ExplainCommand.self, AuditCommand.self,
        ],
        defaultSubcommand: ServeCommand.self)

    /// As the argument parser does it, but for errors, which are said in one sentence like all others.
    static func main() {
        if let flag = RepeatedFlag(in: CommandLine.arguments.dropFirst()) {
            exit(withError: Startup.misuse(flag.sentence))
        }
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            let status = exitCode(for: error)
            // Help and the like are no errors, and what has been said already comes without a message.
            guard !status.isSuccess, !message(for: error).isEmpty else { exit(withError: error) }
            Terminal.complain(UsageSentence.text(of: error, arguments: Array(CommandLine.arguments.dropFirst())))
            exit(withError: status)
        }
    }
}

extension ExitCode {
    /// EX_CONFIG of sysexits.h.
    static let configuration = ExitCode(78)
}
