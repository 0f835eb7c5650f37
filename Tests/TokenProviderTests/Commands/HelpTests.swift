import ArgumentParser
import Foundation
import Testing

@testable import TokenProvider

@Suite struct HelpTests {
    /// Every command by its full name, without the program's.
    private static let commands: [(name: String, type: any ParsableCommand.Type)] = {
        func named(_ type: any ParsableCommand.Type, _ name: String) -> [(String, any ParsableCommand.Type)] {
            [(name, type)] + type.configuration.subcommands.flatMap { named($0, "\(name) \($0._commandName)") }
        }
        return named(TokenProviderCommand.self, "token-provider")
    }()

    /// The paragraphs of a command's help, before the usage and the options.
    private func paragraphs(_ type: any ParsableCommand.Type) -> [[Substring]] {
        type.configuration.discussion.split(separator: "\n\n").map { $0.split(separator: "\n") }
    }

    @Test func `every example fits unbroken into help of 80 columns`() {
        for (name, type) in Self.commands {
            let help = TokenProviderCommand.helpMessage(for: type, columns: 80).split(separator: "\n")
            for line in type.configuration.discussion.split(separator: "\n") where line.hasPrefix("  ") {
                #expect(help.contains(line), "broken in \(name): \(line)")
            }
        }
    }

    @Test func `every command has one sentence, two examples and its exit statuses`() throws {
        for (name, type) in Self.commands {
            #expect(type.configuration.abstract.hasSuffix("."), "\(name)")
            #expect(!type.configuration.abstract.dropLast().contains(". "), "\(name)")
            let paragraphs = paragraphs(type)
            #expect(paragraphs.first == ["Examples:"], "\(name)")
            let examples = try #require(paragraphs.dropFirst().first).filter { $0.contains("token-provider") }
            #expect(examples.count == 2, "\(name)")
            let statuses = try #require(paragraphs.last)
            #expect(statuses.first == "Exit status:", "\(name)")
            let numbers = statuses.dropFirst().compactMap { Int($0.split(separator: " ")[0]) }
            #expect(numbers.count == statuses.count - 1 && numbers == numbers.sorted(), "\(name)")
            #expect(Set([0, 64]).isSubset(of: numbers) && Set(numbers).isSubset(of: [0, 1, 64, 78]), "\(name)")
        }
    }

    @Test func `no help has more than 110 words, or 20 in a sentence`() {
        for (name, type) in Self.commands {
            let words = type.configuration.discussion.split { $0 == " " || $0 == "\n" }
            #expect(words.count <= 110, "\(name): \(words.count)")
            for paragraph in paragraphs(type) where !(paragraph.first?.hasPrefix("  ") ?? true) && paragraph.count == 1
            {
                let sentences = paragraph[0].split(separator: ". ")
                let words = paragraph[0].split(separator: " ")
                #expect(words.count <= 20 * sentences.count, "\(name): \(paragraph[0])")
            }
        }
    }

    @Test func `every option that takes one value names its default`() throws {
        let dump = try JSONSerialization.jsonObject(with: Data(TokenProviderCommand._dumpHelp().utf8)) as? [String: Any]
        let root = try #require(dump?["command"] as? [String: Any])
        var options = 0
        func check(_ command: [String: Any]) {
            for argument in command["arguments"] as? [[String: Any]] ?? []
            where argument["kind"] as? String == "option" && argument["isRepeating"] as? Bool == false {
                let text = argument["abstract"] as? String ?? ""
                #expect(text.contains("Default: ") || argument["defaultValue"] != nil, "\(argument["valueName"] ?? "")")
                options += 1
            }
            for below in command["subcommands"] as? [[String: Any]] ?? [] { check(below) }
        }
        check(root)
        #expect(options > 20)
    }
}
