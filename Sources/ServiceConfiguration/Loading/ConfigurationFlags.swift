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
