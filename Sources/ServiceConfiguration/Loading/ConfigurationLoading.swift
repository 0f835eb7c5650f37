extension Configuration {
    /// Reads the configuration from flags, environment, file, `PORT` and defaults, in this order of precedence, and checks it.
    ///
    /// The file is `file`, or what `TOKEN_PROVIDER_CONFIG` names, or none. The result is the configuration and one warning
    /// for each setting that is allowed but unwise; the errors thrown are all there are.
    package static func load(
        file: String?, flags: ConfigurationFlags, environment: [String: String],
        rules: [ConfigurationRule] = ConfigurationRule.binding, inheriting inherited: [ListenerTakeover.Socket] = []
    ) throws(ConfigurationErrors) -> (configuration: Configuration, warnings: [String]) {
        try read(file: file, flags: flags, environment: environment, rules: rules, inheriting: inherited)
            .configuration()
    }

    /// Like `load`, but also returns what could be read if something is wrong.
    package static func read(
        file: String?, flags: ConfigurationFlags, environment: [String: String],
        rules: [ConfigurationRule] = ConfigurationRule.binding, inheriting inherited: [ListenerTakeover.Socket] = []
    ) -> ConfigurationResolver {
        let name = file ?? environment[EnvironmentNames.configurationFile]
        let document = name.map(ConfigurationDocument.init(reading:))
        return read(document, flags: flags, environment: environment, rules: rules, inheriting: inherited)
    }

    /// The settings that say where to listen for apps.
    private static let listenerKeys = ["listen", "tls.listen", "listeners"]

    static func read(
        _ document: ConfigurationDocument?, flags: ConfigurationFlags, environment: [String: String],
        rules: [ConfigurationRule] = ConfigurationRule.binding, inheriting inherited: [ListenerTakeover.Socket] = []
    ) -> ConfigurationResolver {
        let variables = ConfigurationEnvironment(environment)
        let defaults = environment[EnvironmentNames.defaultsFile].map(ConfigurationDocument.init(reading:))
        var resolver = ConfigurationResolver()
        resolver.note((defaults?.problems ?? []) + (document?.problems ?? []) + variables.problems)
        let sources = [document?.inputs ?? [:], variables.inputs, flags.inputs]
        let listens = sources.contains { source in listenerKeys.contains { source[$0] != nil } }
        let (port, problems) = ConfigurationEnvironment.listener(listens || !inherited.isEmpty ? [:] : environment)
        resolver.note(problems)
        var lowest = defaults?.inputs ?? [:]
        // Apps that are to use another listener shall find none beside it that only an image adds.
        if listens { lowest["listen"] = nil }
        resolver.read([lowest, port] + sources)
        resolver.readGoogleCredentials(environment)
        resolver.readProxy(environment)
        resolver.isWhole = document?.isWhole ?? true
        // The rest of a file with a syntax error is unknown.
        guard resolver.isWhole else { return resolver }
        resolver.takeOver(inherited)
        resolver.check(rules)
        return resolver
    }
}

/// The settings on the command line.
package struct ConfigurationFlags: Sendable {
    /// The flags that were given, by the key they set.
    let inputs: [String: SettingInput]

    /// The texts as they were written: lists are of flags that may be repeated, and each of `kinds` may have several
    /// between commas.
    package init(
        listen: [String] = [], credentials: String? = nil, kinds: [String] = [], callers: String? = nil,
        logLevel: String? = nil, logFormat: String? = nil
    ) {
        let kinds = kinds.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        let given = [
            ("listen", "--listen", listen), ("credentials", "--credentials", [credentials].compactMap(\.self)),
            ("kinds.enabled", "--kinds", kinds), ("callers", "--callers", [callers].compactMap(\.self)),
            ("log.level", "--log-level", [logLevel].compactMap(\.self)),
            ("log.format", "--log-format", [logFormat].compactMap(\.self)),
        ]
        var inputs: [String: SettingInput] = [:]
        for (key, flag, values) in given where !values.isEmpty {
            let origin = SettingOrigin.flag(name: flag)
            let texts = values.map { SettingText(text: $0, isQuoted: false, origin: origin, folder: "") }
            inputs[key] = SettingInput(origin: origin, texts: texts, isList: texts.count > 1)
        }
        self.inputs = inputs
    }
}
