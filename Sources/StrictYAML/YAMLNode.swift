/// A place in a YAML text: line and column, both counted from 1, the column in Unicode scalars.
package struct YAMLPosition: Hashable, Sendable {
    /// The line, counted from 1.
    package let line: Int
    /// The column in Unicode scalars, counted from 1.
    package let column: Int

    /// The place at `line` and `column`, both counted from 1.
    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

/// A value of a YAML document and the place where it begins.
package struct YAMLNode: Hashable, Sendable {
    /// Where the value begins.
    package let position: YAMLPosition
    /// The value itself.
    package let value: YAMLValue
}

/// What a YAML node holds. Scalars stay texts: only the reader of the key knows their type.
package enum YAMLValue: Hashable, Sendable {
    /// Nothing, `~` or `null` without quotes (YAML 1.2, section 10.3.2).
    case null
    /// A text; `quoted` tells whether it was in quotes or in a block (`|`, `>`), so that `"5"` and `5` differ.
    case scalar(String, quoted: Bool)
    /// A list of values.
    case sequence([YAMLNode])
    /// Entries in the order in which they were written, no key twice.
    case mapping([YAMLEntry])
}

/// One key of a mapping and its value.
package struct YAMLEntry: Hashable, Sendable {
    /// The key's text.
    package let key: String
    /// Where the key begins.
    package let keyPosition: YAMLPosition
    /// The value of the key.
    package let value: YAMLNode
}
