import ArgumentParser
import TestSupport
import Foundation
import Testing

@testable import TokenProvider

/// The manual page and completions of the Debian package, which are generated from the commands' help.
@Suite struct ManualTests {
    private static let root = TokenProviderCommand.self

    /// The full name of each command, such as `audit verify`.
    private static var commands: [String] {
        func named(_ type: any ParsableCommand.Type, under parents: String) -> [String] {
            let name = parents + type._commandName
            return [name] + type.configuration.subcommands.flatMap { named($0, under: name + " ") }
        }
        return root.configuration.subcommands.flatMap { named($0, under: "") }
    }

    private func page() throws -> String {
        let help = FileManager.default.temporaryDirectory.appending(path: "help-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: help) }
        try Data(Self.root._dumpHelp().utf8).write(to: help)
        let manual = DocumentationPage.repository.appending(path: "systemd/debian/manual").path
        return try Child.mustRun(["sh", "-c", "exec \"$0\" 0 1.2.3 <\"$1\"", manual, help.path])
    }

    @Test func `the manual page has every command and the standard sections`() throws {
        let page = try page()
        let headings = page.split(separator: "\n").filter { $0.hasPrefix(".SS ") }
        #expect(headings.map { $0.replacing("\\-", with: "-") } == Self.commands.map { ".SS \($0)" })
        for section in ["SYNOPSIS", "DESCRIPTION", "COMMANDS", "EXIT STATUS", "ENVIRONMENT", "FILES"] {
            #expect(page.contains(".SH \(section)\n"), "no \(section)")
        }
        for status in ["64", "78"] { #expect(page.split(separator: ".SH EXIT STATUS")[1].contains(status)) }
    }

    @Test(arguments: [CompletionShell.bash, .zsh, .fish])
    func `a shell completes every command`(shell: CompletionShell) {
        let script = Self.root.completionScript(for: shell)
        for name in Self.commands.flatMap({ $0.split(separator: " ") }) {
            #expect(script.contains(name), "\(shell.rawValue) does not know \(name)")
        }
    }
}
