/// One line of the table of settings: where it is written, what it must be, where its value goes, and why.
struct Setting<Value: Sendable & Equatable>: ConfigurationSetting {
    let path: String
    let reason: String
    private(set) var isReadAtStart = false
    private let target: WritableKeyPath<ConfigurationValues, Value> & Sendable
    private let form: ValueForm<Value>

    /// The setting at the dotted `path`, whose value and default stand at `target`.
    init(
        _ path: String, _ target: WritableKeyPath<ConfigurationValues, Value> & Sendable, _ form: ValueForm<Value>,
        _ reason: String
    ) {
        self.path = path
        self.reason = reason
        self.target = target
        self.form = form
    }

    /// The same for a setting that a reload leaves as it was at the start.
    var atStart: Setting {
        var setting = self
        setting.isReadAtStart = true
        return setting
    }

    func differs(in values: ConfigurationValues, _ others: ConfigurationValues) -> Bool {
        values[keyPath: target] != others[keyPath: target]
    }

    var expectation: String { form.expectation }
    var isList: Bool { form.isList }
    var isOfRecords: Bool { form.isOfRecords }
    var example: String? { form.example }
    var defaultText: String? { form.write(ConfigurationValues()[keyPath: target]) }

    func apply(_ input: SettingInput, to values: inout ConfigurationValues) throws(SettingFailure) {
        values[keyPath: target] = try form.read(input, path)
    }
}

/// A setting whose type of value is not told.
package protocol ConfigurationSetting: Sendable {
    /// The key, as a dotted path: `token.client_margin`.
    var path: String { get }
    /// What is expected, in words.
    var expectation: String { get }
    /// Why the setting exists and why its default is what it is: one or two sentences.
    var reason: String { get }
    /// Whether a running daemon cannot change it, and a reload therefore leaves it as it was at the start.
    var isReadAtStart: Bool { get }
    /// Whether several values may be given.
    var isList: Bool { get }
    /// Whether it is a list of mappings, which only a file can hold.
    var isOfRecords: Bool { get }
    /// What to show for a setting without a default.
    var example: String? { get }
    /// The default as YAML; nil when there is none.
    var defaultText: String? { get }

    /// Whether its value is another one in either.
    func differs(in values: ConfigurationValues, _ others: ConfigurationValues) -> Bool

    /// Reads `input` and writes it over the value in `values`, which stays as it is when it throws.
    func apply(_ input: SettingInput, to values: inout ConfigurationValues) throws(SettingFailure)
}

extension ConfigurationSetting {
    /// The environment variable that sets it: `TOKEN_PROVIDER_TOKEN_CLIENT_MARGIN`.
    var environmentName: String {
        EnvironmentNames.prefix + path.uppercased().map { $0 == "." ? "_" : String($0) }.joined()
    }
}
