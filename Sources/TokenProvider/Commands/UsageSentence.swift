import ArgumentParser
import ServiceConfiguration

/// Why a command line is wrong, in one sentence.
enum UsageSentence {
    /// The sentence for an error of the argument parser. The arguments come without the program's name.
    static func text(of error: any Error, arguments: [String]) -> String {
        unknownCommand(arguments) ?? unknownOption(arguments)
            ?? reworded(TokenProviderCommand.message(for: error))
    }

    /// The sentence for a command that does not exist, also after `help`; nil if there is none.
    static func unknownCommand(_ arguments: [String]) -> String? {
        guard arguments.first == helpName else { return unknownCommand(arguments, of: TokenProviderCommand.self) }
        return unknownTopic(Array(arguments.dropFirst()), of: TokenProviderCommand.self)
    }

    private static let helpName = "help"

    /// The same for the words after `help`, all of which must be commands.
    private static func unknownTopic(_ words: [String], of command: any ParsableCommand.Type) -> String? {
        guard let word = words.first, !word.hasPrefix("-"), word != helpName else { return nil }
        let subcommands = command.configuration.subcommands
        guard !subcommands.isEmpty else { return "unexpected argument '\(word)'; see --help" }
        guard let next = subcommands.first(where: { $0.configuration.commandName == word }) else {
            return unknownCommand(words, of: command)
        }
        return unknownTopic(Array(words.dropFirst()), of: next)
    }

    /// The parser does not suggest the options that it adds itself.
    private static func unknownOption(_ arguments: [String]) -> String? {
        guard let word = arguments.first, arguments.count == 1, word.hasPrefix("--"),
            let meant = EditDistance.nearest(to: word, in: ["--help", "--version"]), meant != word
        else { return nil }
        return "unknown option '\(word)'; did you mean '\(meant)'?"
    }

    /// The parser takes an unknown command for an argument, and none is expected.
    private static func unknownCommand(_ arguments: [String], of command: any ParsableCommand.Type) -> String? {
        let subcommands = command.configuration.subcommands
        let names =
            subcommands.compactMap { $0.configuration.commandName }
            + (command == TokenProviderCommand.self ? [helpName] : [])
        guard !subcommands.isEmpty, let word = arguments.first, !word.hasPrefix("-") else { return nil }
        guard !names.contains(word) else {
            return subcommands.first { $0.configuration.commandName == word }
                .flatMap { unknownCommand(Array(arguments.dropFirst()), of: $0) }
        }
        let advice =
            EditDistance.nearest(to: word, in: names).map { "did you mean '\($0)'?" }
            ?? "expected \(names.count > 1 ? "one of " : "")\(names.joined(separator: ", "))"
        return "unknown command '\(word)'; \(advice)"
    }

    /// The parser's message, which may have several sentences and a list, as one sentence on one line.
    private static func reworded(_ message: String) -> String {
        var text = ""
        for line in message.split(separator: "\n") {
            let word = line.drop { " -".contains($0) }
            text += text.isEmpty ? word : text.hasSuffix(":") || text.hasSuffix(".") ? " \(word)" : ", \(word)"
        }
        text = text.replacing(". Did you mean", with: "; did you mean")
            .replacing(". Please provide one of the following:", with: "; expected one of")
            .replacing(". Please provide", with: "; expected").replacing(". Please", with: "; please")
        if text.hasSuffix(".") { text.removeLast() }
        return text.prefix(1).lowercased() + text.dropFirst() + (text.contains("; ") ? "" : "; see --help")
    }
}
