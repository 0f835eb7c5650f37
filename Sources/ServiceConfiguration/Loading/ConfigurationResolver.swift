import HTTPClient
import StrictYAML

/// Joins the sources of a configuration: a flag over the environment, the environment over the file, the file over
/// the default. Every source is checked, even if another one wins.
package struct ConfigurationResolver {
    /// What was read. A refused value is the default or comes from a weaker source; of a list of mappings with errors, the
    /// elements without errors are kept.
    package private(set) var values = Configuration()
    /// Whether the file could be read to its end. If not, missing keys may only be unread.
    package var isWhole = true
    private var problems: [ConfigurationProblem] = []
    /// The inherited sockets that replace listeners.
    package private(set) var sockets: [ListenerTakeover.Socket] = []
    /// Settings that have no effect, a sentence each.
    private var ineffective: [String] = []
    private var origins: [String: SettingOrigin] = [:]
    private var failedKeys: Set<String> = []
    /// Lists of which the elements without errors were read.
    private var partialKeys: Set<String> = []

    /// Adds the problems of a source as a whole.
    package mutating func note(_ found: [ConfigurationProblem]) {
        problems += found
        failedKeys.formUnion(found.compactMap(\.setting))
    }

    /// Whether anything is wrong with these keys, by themselves or together with others.
    package func isWrong(inAnyOf keys: [String]) -> Bool {
        problems.contains { problem in problem.setting.map(keys.contains) ?? false }
    }

    /// The errors of these keys; nil if there is none. Errors of a weaker source are left out if a stronger one gives the
    /// value.
    package func errors(inAnyOf keys: [String]) -> ConfigurationErrors? {
        let found = problems.filter { problem in
            guard let setting = problem.setting, keys.contains(setting) else { return false }
            return origins[setting].map { !SettingOrigin.isBefore(problem.origin, $0) } ?? true
        }
        return found.isEmpty ? nil : ConfigurationErrors(found)
    }

    /// Reads `sources`, the weakest first.
    package mutating func read(_ sources: [[String: SettingInput]]) {
        for setting in SettingsTable.all {
            for input in sources.compactMap({ $0[setting.path] }) { apply(input, to: setting) }
        }
    }

    /// Uses Google's variable for the key file if nothing else names a key, so that a variable of the environment never
    /// adds a kind that the configuration leaves out.
    mutating func readGoogleCredentials(_ environment: [String: String]) {
        let name = EnvironmentNames.googleCredentials
        let keys = SettingsTable.all.map(\.path).filter { $0.hasSuffix("credentials") || $0.hasSuffix(".key") }
        guard let file = environment[name], !file.isEmpty, !keys.contains(where: isGiven) else { return }
        guard let setting = SettingsTable.setting(at: "credentials") else { return }
        apply(ConfigurationEnvironment.input(named: name, value: file), to: setting)
    }

    /// Uses the variables that name a proxy to curl and others, if nothing else names one. They may leave out http://.
    mutating func readProxy(_ environment: [String: String]) {
        func variable(_ names: String...) -> (name: String, value: String)? {
            names.lazy.compactMap { name in environment[name].map { (name, $0) } }.first { !$0.1.isEmpty }
        }
        guard !isGiven("outgoing.proxy"), let setting = SettingsTable.setting(at: "outgoing.proxy"),
            let (name, text) = variable("https_proxy", "HTTPS_PROXY")
        else { return }
        let url = text.contains("://") ? text : "http://\(text)"
        apply(ConfigurationEnvironment.input(named: name, value: url), to: setting)
        guard let (list, exceptions) = variable("no_proxy", "NO_PROXY") else { return }
        for element in exceptions.split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init) {
            if let exception = ProxyException(element) {
                values.outgoing.noProxy.append(exception)
            } else {
                let what =
                    "\(QuotedText(element)) names no hosts and is ignored; expected \(ProxyException.expectation)"
                ineffective.append(SettingOrigin.environment(name: list).heading(key: nil) + what)
            }
        }
    }

    /// Replaces the default of a key that no source gives.
    package mutating func setDefault<Value>(
        _ key: String, _ member: WritableKeyPath<Configuration, Value>, _ value: Value
    ) {
        if !isGiven(key) { values[keyPath: member] = value }
    }

    /// Replaces listeners by the inherited sockets that belong to them, unless the listeners have errors.
    mutating func takeOver(_ sockets: [ListenerTakeover.Socket]) {
        let keys = Configuration.ListeningKey.allCases.map(\.rawValue) + ["tls.client_certificates"]
        guard !sockets.isEmpty, failedKeys.isDisjoint(with: keys) else { return }
        do throws(ListenerTakeoverError) {
            let takeover = try ListenerTakeover(values, sockets)
            values = takeover.result
            self.sockets = sockets
            for (key, address, sockets) in takeover.replaced {
                guard let origin = origins[key.rawValue] else { continue }
                let inherited = sockets.map(\.description).joined(separator: ", ")
                ineffective.append(
                    "\(origin.heading(key: key.rawValue))\(address) has no effect: the service manager passes the socket "
                        + "\(inherited) instead; expected ListenStream=\(address) in the socket unit")
            }
        } catch {
            note([error.problem])
        }
    }

    /// Checks the values against the rules, except for rules about values that were refused.
    package mutating func check(_ rules: [ConfigurationRule]) {
        problems += breaches(of: rules)
    }

    /// The configuration and its warnings; throws all errors.
    package func configuration() throws(ConfigurationErrors) -> (configuration: Configuration, warnings: [String]) {
        guard problems.isEmpty else { throw ConfigurationErrors(problems) }
        return (
            values, breaches(of: ConfigurationRule.advisory).map(\.description) + ineffective
        )
    }

    private mutating func apply(_ input: SettingInput, to setting: any ConfigurationSetting) {
        do {
            try setting.apply(input, to: &values)
            origins[setting.path] = input.origin
            if setting.isOfRecords { values.places.note(input.records, of: setting.path) }
        } catch {
            note(error.problems)
            guard setting.isOfRecords else { return }
            partialKeys.insert(setting.path)
            values.places.note(input.records, of: setting.path, refused: error.problems)
        }
    }

    /// Whether the value of a key is known: of a list of mappings, at least the elements without errors.
    package func isKnown(_ key: String) -> Bool { !failedKeys.subtracting(partialKeys).contains(key) }

    /// Whether any source gives the key, with or without errors.
    package func isGiven(_ key: String) -> Bool {
        origins[key] != nil || failedKeys.contains(key)
    }

    /// Where the value of a key came from; nil if no source gives it.
    package func origin(of key: String) -> SettingOrigin? { origins[key] }

    private func breaches(of rules: [ConfigurationRule]) -> [ConfigurationProblem] {
        rules.filter(canCheck).flatMap { rule in
            rule.breaches(values).map { breach in
                if let element = breach.element, let origin = values.places.origin(of: element) {
                    return ConfigurationProblem(origin: origin, key: element.path, what: breach.what, isBreach: true)
                }
                let key = rule.keys.first { origins[$0] != nil }
                let origin = key.flatMap { origins[$0] } ?? .whole
                return ConfigurationProblem(
                    origin: origin, key: rule.namesKeys ? nil : key, what: breach.what, isBreach: true)
            }
        }
    }

    private func canCheck(_ rule: ConfigurationRule) -> Bool {
        rule.judgesElements ? rule.keys.allSatisfy(isKnown) : failedKeys.isDisjoint(with: rule.keys)
    }
}
