import ArgumentParser
import SeparateSigning
import SystemFiles

/// The program: its subcommands, its version, and `serve` when none is named.
@main
struct TokenProviderCommand: ParsableCommand {
    /// By semantic versioning; CHANGELOG.md has the same.
    static let version = "0.2.0"

    static let configuration = CommandConfiguration(
        commandName: "token-provider",
        abstract: "Hands short-lived Fleet Engine tokens to apps.",
        discussion: """
            Examples:

              token-provider demo
              token-provider serve --config token-provider.yaml

            Exit status:
              0   success, or a stop by SIGTERM, SIGINT or SIGQUIT
              1   failure, or a negative result, such as that of doctor or health
              64  wrong command line
              78  wrong configuration or key file
            """,
        version: version,
        subcommands: [
            ServeCommand.self, DemoCommand.self, CheckCommand.self, DoctorCommand.self, ReloadCommand.self,
            HealthCommand.self, MintCommand.self, InspectCommand.self, JWKSCommand.self, APIKeyCommand.self,
            ExplainCommand.self, AuditCommand.self,
        ],
        defaultSubcommand: ServeCommand.self)

    /// As the argument parser's own, except that errors are one sentence like all others.
    static func main() {
        let arguments = Environment.arguments()
        // No command of an operator's: the daemon starts it.
        if arguments.first == SigningProcess.argument { return SigningProcess.runOtherSide() }
        // The parser would show it.
        if arguments.contains(where: { $0.contains("PRIVATE KEY") }) {
            exit(withError: Startup.misuse("an argument is a private key; expected the path of its file"))
        }
        // The parser would use the last of repeated flags, and show help even for an unknown command.
        if let sentence = RepeatedFlag(in: arguments)?.sentence ?? UsageSentence.unknownCommand(arguments) {
            exit(withError: Startup.misuse(sentence))
        }
        do {
            var command = try parseAsRoot(arguments)
            try command.run()
        } catch {
            let status = exitCode(for: error)
            // Help is not an error, and an error without a message was reported already.
            guard !status.isSuccess, !message(for: error).isEmpty else { exit(withError: error) }
            Terminal.complain(UsageSentence.text(of: error, arguments: arguments))
            exit(withError: status)
        }
    }
}

extension ExitCode {
    /// EX_CONFIG of sysexits.h.
    static let configuration = ExitCode(78)
}
