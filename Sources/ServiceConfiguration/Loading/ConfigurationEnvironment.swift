import StrictYAML

/// The configuration that environment variables give, each name strictly known.
struct ConfigurationEnvironment: Sendable {
    /// The values of the variables, by key.
    private(set) var inputs: [String: SettingInput] = [:]
    /// What is wrong with them.
    private(set) var problems: [ConfigurationProblem] = []

    /// Reads the variables of `environment` whose names begin with `TOKEN_PROVIDER_`.
    init(_ environment: [String: String]) {
        let settings = Dictionary(uniqueKeysWithValues: SettingsTable.all.map { ($0.environmentName, $0) })
        for (name, value) in environment where name.hasPrefix(EnvironmentNames.prefix) {
            guard !EnvironmentNames.files.contains(name) else { continue }
            if let setting = settings[name], setting.isOfRecords {
                problems.append(
                    ConfigurationProblem(
                        origin: .environment(name: name), key: nil,
                        what: "a variable cannot hold a list of mappings; expected \(setting.path) in the "
                            + "configuration file"))
            } else if let setting = settings[name] {
                inputs[setting.path] = Self.input(for: setting, name: name, value: value)
            } else if !EnvironmentNames.isServiceLink(name, value: value) {
                problems.append(Self.unknown(name, known: Array(settings.keys)))
            }
        }
    }

    /// The input of a variable.
    static func input(named name: String, value: String) -> SettingInput {
        let origin = SettingOrigin.environment(name: name)
        let text = SettingText(text: value, isQuoted: false, origin: origin, folder: "")
        return SettingInput(origin: origin, texts: [text], isList: false)
    }

    /// The listener that `PORT` asks for, or what is wrong with it.
    static func listener(_ environment: [String: String]) -> (inputs: [String: SettingInput], [ConfigurationProblem]) {
        let name = EnvironmentNames.port
        guard let text = environment[name] else { return ([:], []) }
        if let port = DecimalText.whole(text), (1...65_535).contains(port) {
            return (["listen": input(named: name, value: "0.0.0.0:\(port)")], [])
        }
        let what = "\(QuotedText(text)) is not a port; expected a number from 1 to 65535"
        return ([:], [ConfigurationProblem(origin: .environment(name: name), key: nil, what: what)])
    }

    private static func input(for setting: any ConfigurationSetting, name: String, value: String) -> SettingInput {
        guard setting.isList else { return input(named: name, value: value) }
        let origin = SettingOrigin.environment(name: name)
        let parts = value.isEmpty ? [] : value.split(separator: ",", omittingEmptySubsequences: false)
        let texts = parts.map {
            SettingText(text: trimmed($0), isQuoted: false, origin: origin, folder: "")
        }
        return SettingInput(origin: origin, texts: texts, isList: true)
    }

    private static func trimmed(_ text: Substring) -> String {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        let start = text.drop(while: isBlank)
        return String(start.reversed().drop(while: isBlank).reversed())
    }

    private static func unknown(_ name: String, known: [String]) -> ConfigurationProblem {
        // Without the common prefix, so that the distance is measured on the rest.
        let candidates = (known + [EnvironmentNames.configurationFile]).sorted()
            .map { String($0.dropFirst(EnvironmentNames.prefix.count)) }
        let word = String(name.dropFirst(EnvironmentNames.prefix.count))
        let advice =
            EditDistance.nearest(to: word, in: candidates).map { "did you mean \(EnvironmentNames.prefix)\($0)?" }
            ?? "expected TOKEN_PROVIDER_ and a key, such as TOKEN_PROVIDER_LOG_LEVEL for log.level"
        return ConfigurationProblem(
            origin: .environment(name: name), key: nil, what: "is not a setting; \(advice)")
    }
}
