import StrictYAML

/// The configuration that a file gives, each key strictly known.
struct ConfigurationDocument: Sendable {
    /// The settings that the file gives, by their key.
    private(set) var inputs: [String: SettingInput] = [:]
    /// What is wrong with the file, except for its values.
    private(set) var problems: [ConfigurationProblem] = []
    /// Whether the file could be read to its end. If not, missing keys may only be unread.
    private(set) var isWhole = true

    private let source: YAMLSource

    /// Reads the YAML text `bytes` of the file that was opened as `name`.
    init(name: String, bytes: [UInt8]) {
        source = YAMLSource(name: name)
        do { readRoot(try StrictYAMLDocument.parse(bytes)) } catch {
            problems = error.errors.map { problem(at: $0.position, key: nil, $0.sentence) }
            isWhole = error.remainder != nil
            readRoot(error.remainder)
        }
    }

    /// Reads the file `name`; a file that cannot be read is one problem.
    init(reading name: String) {
        do {
            let file = try ConfigurationFile(reading: name)
            self.init(name: file.name, bytes: file.bytes)
        } catch {
            self.init(name: name, bytes: [])
            problems = [error]
            isWhole = false
        }
    }

    private mutating func readRoot(_ node: YAMLNode?) {
        switch node?.value {
        case nil, .null: return
        case .mapping(let entries): for entry in entries { read(entry, in: []) }
        case .scalar, .sequence:
            let position = node?.position ?? YAMLPosition(line: 1, column: 1)
            problems.append(
                problem(at: position, key: nil, "the file is not a mapping; expected lines of \"key: value\""))
        }
    }

    private mutating func read(_ entry: YAMLEntry, in section: [String]) {
        let components = section + [entry.key]
        let path = components.joined(separator: ".")
        // A key that contains a dot is not a path.
        if !entry.key.contains("."), let setting = SettingsTable.setting(at: path) {
            readValue(entry, of: setting)
        } else if SettingNames.isSection(components) {
            readSection(entry, components)
        } else {
            let advice = SettingNames.advice(for: entry.key, in: section)
            problems.append(problem(at: entry.keyPosition, key: path, "unknown key; \(advice)"))
        }
    }

    private mutating func readSection(_ entry: YAMLEntry, _ components: [String]) {
        if case .mapping(let entries) = entry.value.value {
            for inner in entries { read(inner, in: components) }
            return
        }
        let keys = SettingNames.keys(in: components).joined(separator: ", ")
        let what = entry.value.value == .null ? "has no value" : "is not a mapping"
        problems.append(
            problem(
                at: entry.keyPosition, key: components.joined(separator: "."),
                "\(what); expected keys below it: \(keys)"))
    }

    private mutating func readValue(_ entry: YAMLEntry, of setting: any ConfigurationSetting) {
        do throws(SettingFailure) {
            inputs[setting.path] =
                setting.isOfRecords
                ? try source.records(entry, key: setting.path, expectation: setting.expectation)
                : try source.input(entry, key: setting.path, expectation: setting.expectation)
        } catch {
            problems += error.problems
        }
    }

    private func problem(at position: YAMLPosition, key: String?, _ what: String) -> ConfigurationProblem {
        source.problem(at: position, key: key, what)
    }
}
