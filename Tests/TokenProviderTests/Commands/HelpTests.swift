import ArgumentParser
import Testing

@testable import TokenProvider

@Suite struct HelpTests {
    private static let commands: [any ParsableCommand.Type] =
        [TokenProviderCommand.self] + TokenProviderCommand.configuration.subcommands

    @Test func `every example fits unbroken into help of 80 columns`() {
        var examples = 0
        for command in Self.commands {
            let help = TokenProviderCommand.helpMessage(for: command, columns: 80).split(separator: "\n")
            for line in command.configuration.discussion.split(separator: "\n") where line.hasPrefix("  ") {
                #expect(help.contains(line), "broken: \(line)")
                examples += 1
            }
        }
        #expect(examples > 10)
    }
}
