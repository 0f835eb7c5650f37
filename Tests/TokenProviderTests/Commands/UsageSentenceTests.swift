import ArgumentParser
import Testing

@testable import TokenProvider

@Suite struct UsageSentenceTests {
    @Test(arguments: [
        ("serv", "unknown command 'serv'; did you mean 'serve'?"),
        ("mnt --trip t", "unknown command 'mnt'; did you mean 'mint'?"),
        (
            "start --listen 127.0.0.1:0",
            "unknown command 'start'; expected one of serve, demo, check, doctor, reload, health, mint, inspect, jwks, api-key, explain, "
                + "audit, help"
        ),
        ("serve start", "unexpected argument 'start'; see --help"),
        ("explan --as x", "unknown command 'explan'; did you mean 'explain'?"),
        ("api-key nwe dispatch", "unknown command 'nwe'; did you mean 'new'?"),
        ("audit check file", "unknown command 'check'; expected verify"),
        ("audit help", "unknown command 'help'; expected verify"),
        ("api-key new", "missing expected argument '<name>'; see --help"),
        ("jwks a b", "2 unexpected arguments: 'a', 'b'; see --help"),
        ("--lisen 127.0.0.1:0", "unknown option '--lisen'; did you mean '--listen'?"),
        ("--verison", "unknown option '--verison'; did you mean '--version'?"),
        ("--hlep", "unknown option '--hlep'; did you mean '--help'?"),
        ("check --colour", "unknown option '--colour'; see --help"),
        ("mint --trip", "missing value for '--trip <id>'; see --help"),
        (
            "mint --trip t --show --json",
            "value to be set with flag '--json' had already been set with flag '--show'; see --help"
        ),
        (
            "mint --kind admin",
            "the value 'admin' is invalid for '--kind <kind>'; expected one of consumer, driver, "
                + "untrusted_delivery_driver, trusted_delivery_driver, delivery_consumer, task_batch, server, "
                + "delivery_server, delivery_fleet_reader, fleet_reader"
        ),
        (
            "--generate-completion-script csh",
            "can't generate completion scripts for 'csh'; please use --generate-completion-script=<shell> with one of: "
                + "zsh bash fish"
        ),
    ])
    func `an invalid command line gives one sentence with a suggestion`(line: String, sentence: String) {
        let arguments = line.split(separator: " ").map(String.init)
        let error = #expect(throws: (any Error).self) { try TokenProviderCommand.parseAsRoot(arguments) }
        guard let error else { return }
        #expect(UsageSentence.text(of: error, arguments: arguments) == sentence)
        #expect(TokenProviderCommand.exitCode(for: error) == .validationFailure)
    }

    @Test(arguments: [
        ("help inspct", "unknown command 'inspct'; did you mean 'inspect'?"),
        ("help audit nope", "unknown command 'nope'; expected verify"),
        ("help serve nope", "unexpected argument 'nope'; see --help"),
        ("inspct --help", "unknown command 'inspct'; did you mean 'inspect'?"),
        ("help", nil), ("help help", nil), ("help serve", nil), ("help audit verify", nil), ("help --version", nil),
        ("--help", nil), ("serve --help", nil), ("audit verify a b", nil), ("--listen a", nil), ("", nil),
    ])
    func `help for an unknown command is refused`(line: String, sentence: String?) {
        #expect(UsageSentence.unknownCommand(line.split(separator: " ").map(String.init)) == sentence)
    }
}
