import ArgumentParser

/// Why a command line is not understood, in one sentence.
enum UsageSentence {
    /// The sentence for what the argument parser threw at the arguments, which come without the program's name.
    static func text(of error: any Error, arguments: [String]) -> String {
        unknownCommand(arguments) ?? reworded(TokenProviderCommand.message(for: error))
    }

    /// The parser takes a word that is no command for an argument of `serve`, which has none.
    private static func unknownCommand(_ arguments: [String]) -> String? {
        let subcommands = TokenProviderCommand.configuration.subcommands
        let names = subcommands.compactMap { $0.configuration.commandName } + ["help"]
        guard let word = arguments.first, !word.hasPrefix("-"), !names.contains(word) else { return nil }
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
