/// Joins the sources of a configuration: a flag over the environment, the environment over the file, the file over
/// the default. What a source gives is checked even where another one wins.
package struct ConfigurationResolver {
    /// What was read; the default, or what a weaker source says, where a value is refused.
    package private(set) var values = ConfigurationValues()
    /// Whether the file could be read to its end, so that what it does not say is really not said.
    package var isWhole = true
    private var problems: [ConfigurationProblem] = []
    private var origins: [String: SettingOrigin] = [:]
    private var failedKeys: Set<String> = []

    /// Notes what is wrong with a source as a whole.
    package mutating func note(_ found: [ConfigurationProblem]) {
        problems += found
        failedKeys.formUnion(found.compactMap(\.setting))
    }

    /// Whether anything is wrong with these keys, each by itself or beside others.
    package func isWrong(inAnyOf keys: [String]) -> Bool {
        problems.contains { problem in problem.setting.map(keys.contains) ?? false }
    }

    /// What is wrong with the values of these keys by themselves; nil if nothing is. An error of a weaker source is none of a
    /// value that a stronger one gives.
    package func errors(inAnyOf keys: [String]) -> ConfigurationErrors? {
        let found = problems.filter { problem in
            guard let setting = problem.setting, keys.contains(setting) else { return false }
            return origins[setting].map { !SettingOrigin.isBefore(problem.origin, $0) } ?? true
        }
        return found.isEmpty ? nil : ConfigurationErrors(found)
    }

    /// Reads what `sources` give, the weakest source first.
    package mutating func read(_ sources: [[String: SettingInput]]) {
        for setting in SettingsTable.all {
            for input in sources.compactMap({ $0[setting.path] }) { apply(input, to: setting) }
        }
    }

    /// Lets Google's variable name the key file when nothing else names one, so that a variable of the surroundings
    /// never adds a kind that the configuration leaves out.
    mutating func readGoogleCredentials(_ environment: [String: String]) {
        let name = EnvironmentNames.googleCredentials
        let keys = SettingsTable.all.map(\.path).filter { $0.hasSuffix("credentials") }
        guard let file = environment[name], !file.isEmpty, !keys.contains(where: isGiven) else { return }
        guard let setting = SettingsTable.setting(at: "credentials") else { return }
        apply(ConfigurationEnvironment.input(named: name, value: file), to: setting)
    }

    /// Puts sockets that were handed over in the place of the listeners that they stand for, unless it is not known what
    /// those are.
    mutating func takeOver(_ sockets: [ListenerTakeover.Socket]) {
        let keys = Configuration.ListeningKey.allCases.map(\.rawValue) + ["tls.client_certificates"]
        guard !sockets.isEmpty, failedKeys.isDisjoint(with: keys) else { return }
        do throws(ListenerTakeoverError) {
            values = try ListenerTakeover(values, sockets).result
        } catch {
            note([error.problem])
        }
    }

    /// Holds the values against the rules that bind them together, those apart that involve a value already refused.
    package mutating func check(_ rules: [ConfigurationRule]) {
        problems += breaches(of: rules)
    }

    /// The configuration and the warnings about it, or all that is wrong.
    package func configuration() throws(ConfigurationErrors) -> (configuration: Configuration, warnings: [String]) {
        guard problems.isEmpty else { throw ConfigurationErrors(problems) }
        return (Configuration(checked: values), breaches(of: ConfigurationRule.advisory).map(\.description))
    }

    private mutating func apply(_ input: SettingInput, to setting: any ConfigurationSetting) {
        do {
            try setting.apply(input, to: &values)
            origins[setting.path] = input.origin
        } catch {
            note(error.problems)
        }
    }

    /// Whether any source says what the key is, rightly or not.
    package func isGiven(_ key: String) -> Bool {
        origins[key] != nil || failedKeys.contains(key)
    }

    private func breaches(of rules: [ConfigurationRule]) -> [ConfigurationProblem] {
        rules.filter { failedKeys.isDisjoint(with: $0.keys) }.compactMap { rule in
            guard let what = rule.breach(values) else { return nil }
            let key = rule.keys.first { origins[$0] != nil }
            let origin = key.flatMap { origins[$0] } ?? .whole
            return ConfigurationProblem(
                origin: origin, key: rule.namesKeys ? nil : key, what: what, isBreach: true)
        }
    }
}
