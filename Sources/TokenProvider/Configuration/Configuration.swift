/// The daemon's configuration: complete and checked, because `load` alone makes it.
@dynamicMemberLookup
struct Configuration: Sendable, Equatable {
    private let values: ConfigurationValues

    /// The configuration of `values`, which must have passed every rule.
    init(checked values: ConfigurationValues) {
        self.values = values
    }

    /// A value of the configuration.
    subscript<Value>(dynamicMember keyPath: KeyPath<ConfigurationValues, Value>) -> Value {
        values[keyPath: keyPath]
    }
}
