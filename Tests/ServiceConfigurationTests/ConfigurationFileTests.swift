import FleetEngineToken
import Glibc
import Testing

@testable import ServiceConfiguration

/// The two files of this repository, and unreadable files. Serialized, because one test may write a file.
@Suite(.serialized) struct ConfigurationFileTests {
    /// `config/` of this repository.
    private static let folder: String = {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        return parts.joined(separator: "/") + "/config"
    }()

    @Test func `the small file is valid without changes`() throws {
        let (configuration, warnings) = try load(Self.folder + "/token-provider.yaml")
        #expect(warnings.isEmpty)
        #expect(configuration.listen == [.ipv4(0x7F00_0001, port: 8080)])
        #expect(configuration.callers == .unauthenticated)
        #expect(configuration.credentials == "/keys/google.json")
    }

    /// After a change of the settings table, `REGENERATE_CONFIG=1 swift test --filter ConfigurationFileTests` writes
    /// the file again.
    @Test func `the full file matches the settings table`() throws {
        let name = Self.folder + "/token-provider.full.yaml"
        if getenv("REGENERATE_CONFIG") != nil { try write(FullConfigurationText.text, to: name) }
        #expect(
            try String(decoding: ConfigurationFile(reading: name).bytes, as: UTF8.self) == FullConfigurationText.text)
    }

    /// The same variable writes this file again.
    @Test func `the manual page of settings matches the settings table`() throws {
        let name = Self.folder + "/token-provider.yaml.5"
        if getenv("REGENERATE_CONFIG") != nil { try write(SettingsManualText.text, to: name) }
        let page = try String(decoding: ConfigurationFile(reading: name).bytes, as: UTF8.self)
        #expect(page == SettingsManualText.text)
        for setting in FullConfigurationText.shownSettings {
            #expect(page.contains("\n\(SettingsManualText.heading(of: setting))\n"), "\(setting.path)")
        }
    }

    @Test func `the full file contains only the defaults`() throws {
        let (configuration, warnings) = try load(Self.folder + "/token-provider.full.yaml")
        #expect(warnings.isEmpty)
        #expect(configuration == (try load(nil).configuration))
    }

    @Test func `the full file has at most 480 lines and names every kind`() {
        let lines = FullConfigurationText.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 481)
        #expect(TokenKind.allCases.allSatisfy { FullConfigurationText.text.contains("# - \($0.rawValue): ") })
    }

    @Test func `the full file shows the same keys for each kind once`() {
        let ofKinds = TokenKind.allCases.map { kind in
            SettingsTable.all.map(\.path).filter { $0.hasPrefix("kinds.\(kind.rawValue).") }
                .map { $0.split(separator: ".").suffix(1).joined() }
        }
        let keys = [
            "credentials", "sign_as", "key", "email", "key_id", "audience", "lifetime", "backdate", "client_margin",
        ]
        #expect(Set(ofKinds) == [keys])
        #expect(SettingsTable.all.count - FullConfigurationText.shownSettings.count == 9 * keys.count)
    }

    @Test func `the full file shows every key, with or without a default`() {
        let names = Set(SettingsTable.all.flatMap { $0.path.split(separator: ".") })
        let lines = FullConfigurationText.text.split(separator: "\n").compactMap { line -> String? in
            let indentation = line.prefix { $0 == " " }
            let text = line.dropFirst(indentation.count)
            // The lines of an example that is a list of mappings.
            if text.hasPrefix("#   ") { return "\(indentation)\(text.dropFirst(2))" }
            guard text.hasPrefix("# ") else { return String(line) }
            let assignment = text.dropFirst(2)
            let key = assignment.prefix { $0 != ":" }
            return names.contains(key) && key.count < assignment.count ? indentation + String(assignment) : nil
        }
        let document = ConfigurationDocument(name: "full.yaml", bytes: Array(lines.joined(separator: "\n").utf8))
        #expect(document.problems.isEmpty)
        #expect(Set(document.inputs.keys) == Set(FullConfigurationText.shownSettings.map(\.path)))
    }

    @Test func `the environment can name the file, and a flag overrides it`() throws {
        let environment = onlyCredentials.merging(
            ["TOKEN_PROVIDER_CONFIG": Self.folder + "/token-provider.yaml"]
        ) { $1 }
        let named = try Configuration.load(file: nil, flags: ConfigurationFlags(), environment: environment)
        #expect(named.configuration.callers == .unauthenticated)
        let full = Self.folder + "/token-provider.full.yaml"
        let errors = try #require(throws: ConfigurationErrors.self) {
            try Configuration.load(file: full, flags: ConfigurationFlags(), environment: environment)
        }
        #expect(errors.sentences.count == 1)
        #expect(errors.description.hasPrefix("nothing says who may call"))
    }

    @Test(arguments: [
        ("/nowhere/token-provider.yaml", "No such file or directory"), ("/", "Is a directory"),
        ("", "No such file or directory"),
    ])
    func `an unreadable file is refused with the system's reason`(name: String, reason: String) throws {
        let errors = try #require(throws: ConfigurationErrors.self) { try load(name) }
        #expect(
            errors.sentences == ["cannot read the configuration file \"\(name)\": \(reason); expected a YAML file"])
    }

    @Test func `a pipe without a writer is refused without blocking`() throws {
        let name = "/tmp/token-provider-\(getpid()).pipe"
        #expect(mkfifo(name, 0o600) == 0)
        defer { unlink(name) }
        let errors = try #require(throws: ConfigurationErrors.self) { try load(name) }
        #expect(
            errors.sentences == [
                "cannot read the configuration file \"\(name)\": no program writes to this pipe; expected a YAML file"
            ])
    }

    @Test func `an endless file is refused as too large`() throws {
        let errors = try #require(throws: ConfigurationErrors.self) { try load("/dev/zero") }
        #expect(errors.sentences.count == 1)
        #expect(errors.description.hasSuffix("bytes; expected at most 1048576"))
    }

    private func load(_ file: String?) throws(ConfigurationErrors) -> (configuration: Configuration, warnings: [String])
    {
        try Configuration.load(file: file, flags: ConfigurationFlags(), environment: withCredentials)
    }

    private func write(_ text: String, to name: String) throws {
        let file = try #require(fopen(name, "w"))
        let bytes = Array(text.utf8)
        #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
        #expect(fclose(file) == 0)
    }
}
