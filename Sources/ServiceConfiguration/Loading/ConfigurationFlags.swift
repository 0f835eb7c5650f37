/// The settings on the command line, as they were written.
package struct ConfigurationFlags: Sendable, Equatable {
    /// `--listen`, which may be repeated; none when it was not given.
    package var listen: [String] = []
    /// `--credentials`.
    package var credentials: String?
    /// `--kinds`, each of which may hold several between commas.
    package var kinds: [String] = []
    /// `--callers`.
    package var callers: String?
    /// `--log-level`.
    package var logLevel: String?
    /// `--log-format`.
    package var logFormat: String?

    /// The flags that were given, by the key they set.
    var inputs: [String: SettingInput] {
        var inputs: [String: SettingInput] = [:]
        for (key, flag, values) in given where !values.isEmpty {
            let origin = SettingOrigin.flag(name: flag)
            let texts = values.map { SettingText(text: $0, isQuoted: false, origin: origin, folder: "") }
            inputs[key] = SettingInput(origin: origin, texts: texts, isList: texts.count > 1)
        }
        return inputs
    }

    private var given: [(key: String, flag: String, values: [String])] {
        [
            ("listen", "--listen", listen),
            ("credentials", "--credentials", [credentials].compactMap(\.self)),
            (
                "kinds.enabled", "--kinds",
                kinds.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
            ),
            ("callers", "--callers", [callers].compactMap(\.self)),
            ("log.level", "--log-level", [logLevel].compactMap(\.self)),
            ("log.format", "--log-format", [logFormat].compactMap(\.self)),
        ]
    }

    /// A value of these parts.
    package init(
        listen: [String] = [], credentials: String? = nil, kinds: [String] = [], callers: String? = nil,
        logLevel: String? = nil, logFormat: String? = nil
    ) {
        self.listen = listen
        self.credentials = credentials
        self.kinds = kinds
        self.callers = callers
        self.logLevel = logLevel
        self.logFormat = logFormat
    }
}
