/// One line of the table of settings: its key, the form of its value, where the value is stored, and the reason for it.
struct Setting<Value: Sendable & Equatable>: ConfigurationSetting {
    let path: String
    let reason: String
    private(set) var isReadAtStart = false
    private let target: WritableKeyPath<Configuration, Value> & Sendable
    private let form: ValueForm<Value>

    /// The setting at the dotted `path`, whose value and default are at `target`.
    init(
        _ path: String, _ target: WritableKeyPath<Configuration, Value> & Sendable, _ form: ValueForm<Value>,
        _ reason: String
    ) {
        (self.path, self.reason, self.target, self.form) = (path, reason, target, form)
    }

    /// The same setting, which a reload does not change.
    var atStart: Setting {
        var setting = self
        setting.isReadAtStart = true
        return setting
    }

    func differs(in values: Configuration, _ others: Configuration) -> Bool {
        values[keyPath: target] != others[keyPath: target]
    }

    var expectation: String { form.expectation }
    var isList: Bool { form.isList }
    var isOfRecords: Bool { form.isOfRecords }
    var example: String? { form.example }
    var defaultText: String? { form.write(Configuration()[keyPath: target]) }

    func apply(_ input: SettingInput, to values: inout Configuration) throws(SettingFailure) {
        do { values[keyPath: target] = try form.read(input, path) } catch {
            // Elements without errors are still checked against the other settings.
            if let valid = form.readValidElements?(input) { values[keyPath: target] = valid }
            throw error
        }
    }
}

/// A setting of any type of value.
package protocol ConfigurationSetting: Sendable {
    /// The key, as a dotted path: `token.client_margin`.
    var path: String { get }
    /// What is expected, in words.
    var expectation: String { get }
    /// What the setting does, for the configuration reference.
    var reason: String { get }
    /// Whether only a restart changes it.
    var isReadAtStart: Bool { get }
    /// Whether several values may be given.
    var isList: Bool { get }
    /// Whether it is a list of mappings, which only a file can hold.
    var isOfRecords: Bool { get }
    /// What the configuration reference shows for a setting without a default.
    var example: String? { get }
    /// The default as YAML; nil when there is none.
    var defaultText: String? { get }

    /// Whether its value differs between two configurations.
    func differs(in values: Configuration, _ others: Configuration) -> Bool

    /// Reads `input` and replaces the value in `values`. When it throws, the value is as before, or for a list of mappings it
    /// is the elements without errors.
    func apply(_ input: SettingInput, to values: inout Configuration) throws(SettingFailure)
}

extension ConfigurationSetting {
    /// The environment variable that sets it: `TOKEN_PROVIDER_TOKEN_CLIENT_MARGIN`.
    var environmentName: String {
        EnvironmentNames.prefix + path.uppercased().map { $0 == "." ? "_" : String($0) }.joined()
    }
}
