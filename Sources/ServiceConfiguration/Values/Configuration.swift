import FleetEngineToken

/// The daemon's configuration: complete and checked, because only `load` makes it.
@dynamicMemberLookup
package struct Configuration: Sendable, Equatable {
    /// All values; each is a member here too.
    package let values: ConfigurationValues

    /// The configuration of `values`, which must have passed every rule.
    package init(checked values: ConfigurationValues) {
        self.values = values
    }

    /// The key file that signs a kind; nil if the kind is off.
    package func keyFile(of kind: TokenKind) -> String? { values.keyFile(of: kind) }

    /// What a kind that is not served lacks.
    package func absence(of kind: TokenKind) -> KindAbsence { values.absence(of: kind) }

    /// What a kind's tokens say and how long they live.
    package func tokenSettings(of kind: TokenKind) -> Token { values.tokenSettings(of: kind) }

    /// A value of the configuration.
    package subscript<Value>(dynamicMember keyPath: KeyPath<ConfigurationValues, Value>) -> Value {
        values[keyPath: keyPath]
    }
}
