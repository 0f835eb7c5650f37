/// One thing that is wrong with a YAML text, and where.
package struct YAMLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where it is wrong.
    package let position: YAMLPosition
    /// What is wrong and what was expected; it never repeats a value, only keys.
    package let sentence: String

    /// The sentence behind its line and column: `3:1: …`.
    package var description: String { "\(position.line):\(position.column): \(sentence)" }
}

/// All that is wrong with a YAML text, in the order in which it was found.
package struct YAMLErrors: Error, Hashable, Sendable, CustomStringConvertible {
    /// The errors, never none.
    package let errors: [YAMLError]
    /// The document without what was refused, where the whole text could be read, so that the errors of its values
    /// can be reported together with these; nil where the text breaks off. Never to be used as a valid document.
    package let remainder: YAMLNode?

    /// The errors, one on each line.
    package var description: String { errors.map(\.description).joined(separator: "\n") }
}
