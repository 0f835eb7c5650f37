import StrictYAML

/// The configuration that a file gives, each key strictly known.
struct ConfigurationDocument: Sendable {
    /// The settings that the file gives, by their key.
    private(set) var inputs: [String: SettingInput] = [:]
    /// What is wrong with the file, values apart.
    private(set) var problems: [ConfigurationProblem] = []
    /// Whether the file could be read to its end, so that what it does not say is really not said.
    private(set) var isWhole = true

    private let name: String
    private let folder: String

    /// Reads the YAML text `bytes` of the file that was opened as `name`.
    init(name: String, bytes: [UInt8]) {
        self.name = name
        // Relative paths in a file belong to it, wherever the daemon is started.
        folder = name.lastIndex(of: "/").map { String(name[...$0]) } ?? ""
        do {
            readRoot(try StrictYAMLDocument.parse(bytes))
        } catch {
            problems = error.errors.map { problem(at: $0.position, key: nil, $0.sentence) }
            isWhole = error.remainder != nil
            readRoot(error.remainder)
        }
    }

    /// Reads the file `name`; one that cannot be read is a problem like any other.
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
            problems.append(problem(at: position, key: nil, "the file is no mapping; expected lines of \"key: value\""))
        }
    }

    private mutating func read(_ entry: YAMLEntry, in section: [String]) {
        let components = section + [entry.key]
        let path = components.joined(separator: ".")
        // A key that holds a dot is no path, even where it reads like one.
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
        let what = entry.value.value == .null ? "has no value" : "has no keys below it"
        problems.append(
            problem(
                at: entry.keyPosition, key: components.joined(separator: "."),
                "\(what); expected a mapping of \(keys), or no such key"))
    }

    private mutating func readValue(_ entry: YAMLEntry, of setting: any ConfigurationSetting) {
        let origin = SettingOrigin.file(name: name, position: entry.keyPosition)
        switch entry.value.value {
        case .scalar(let text, let quoted):
            let text = SettingText(text: text, isQuoted: quoted, origin: origin, folder: folder)
            inputs[setting.path] = SettingInput(origin: origin, texts: [text], isList: false)
        case .sequence(let nodes):
            guard let texts = elements(nodes, of: setting) else { return }
            inputs[setting.path] = SettingInput(origin: origin, texts: texts, isList: true)
        case .null: refuse(entry.keyPosition, setting, "has no value")
        case .mapping: refuse(entry.keyPosition, setting, "is a mapping")
        }
    }

    /// The texts of a list; nil, with the reasons noted, when one of its elements is none.
    private mutating func elements(_ nodes: [YAMLNode], of setting: any ConfigurationSetting) -> [SettingText]? {
        var texts: [SettingText] = []
        for node in nodes {
            if case .scalar(let text, let quoted) = node.value {
                let origin = SettingOrigin.file(name: name, position: node.position)
                texts.append(SettingText(text: text, isQuoted: quoted, origin: origin, folder: folder))
            } else {
                refuse(node.position, setting, node.value == .null ? "has an empty element" : "has a nested element")
            }
        }
        return texts.count == nodes.count ? texts : nil
    }

    private mutating func refuse(_ position: YAMLPosition, _ setting: any ConfigurationSetting, _ what: String) {
        problems.append(problem(at: position, key: setting.path, "\(what); expected \(setting.expectation)"))
    }

    private func problem(at position: YAMLPosition, key: String?, _ what: String) -> ConfigurationProblem {
        ConfigurationProblem(origin: .file(name: name, position: position), key: key, what: what)
    }
}
