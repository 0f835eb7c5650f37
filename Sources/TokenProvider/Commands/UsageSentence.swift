import ArgumentParser
import ServiceConfiguration

/// Why a command line is not understood, in one sentence.
enum UsageSentence {
    /// The sentence for what the argument parser threw at the arguments, which come without the program's name.
    static func text(of error: any Error, arguments: [String]) -> String {
        unknownCommand(arguments, of: TokenProviderCommand.self) ?? unknownOption(arguments)
            ?? reworded(TokenProviderCommand.message(for: error))
    }

    /// The parser itself does not suggest the options that it adds.
    private static func unknownOption(_ arguments: [String]) -> String? {
        guard let word = arguments.first, arguments.count == 1, word.hasPrefix("--"),
            let meant = EditDistance.nearest(to: word, in: ["--help", "--version"]), meant != word
        else { return nil }
        return "unknown option '\(word)'; did you mean '\(meant)'?"
    }

    /// The parser takes a word that is no command for an argument, which the command has none of.
    private static func unknownCommand(_ arguments: [String], of command: any ParsableCommand.Type) -> String? {
        let subcommands = command.configuration.subcommands
        let names = subcommands.compactMap { $0.configuration.commandName } + ["help"]
        guard !subcommands.isEmpty, let word = arguments.first, !word.hasPrefix("-") else { return nil }
        guard !names.contains(word) else {
            return subcommands.first { $0.configuration.commandName == word }
                .flatMap { unknownCommand(Array(arguments.dropFirst()), of: $0) }
        }
        let advice =
            EditDistance.nearest(to: word, in: names).map { "did you mean '\($0)'?" }
            ?? "expected one of \(names.joined(separator: ", "))"
        return "unknown command '\(word)'; \(advice)"
    }

    /// The parser's message, which may be several sentences and a list, as one sentence on one line.
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
