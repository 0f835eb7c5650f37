/// The strict subset of YAML that configuration is written in: one document of nulls, scalars, sequences and mappings.
package enum StrictYAMLDocument {
    /// The longest text that is read, in bytes: 1 MiB.
    package static let maximumBytes = 1 << 20
    /// How deep sequences and mappings may be nested.
    package static let maximumDepth = 16

    /// Reads one YAML document (YAML 1.1 as libyaml reads it); nil if there are only comments.
    ///
    /// Refused: repeated keys, keys that are not scalars, merge keys, anchors, aliases, tags, a second document, bytes
    /// that are not UTF-8, control characters, and more than `maximumBytes` or `maximumDepth`.
    package static func parse(_ bytes: [UInt8]) throws(YAMLErrors) -> YAMLNode? {
        // libyaml takes the first line after a byte order mark for one that is indented.
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        do { try YAMLCharacters.check(bytes, maximumBytes: maximumBytes) } catch {
            throw YAMLErrors(errors: [error], remainder: nil)
        }
        var composer = YAMLComposer(events: YAMLEventParser(bytes), maximumDepth: maximumDepth)
        return try composer.document()
    }
}

/// One error in a YAML text, and where it is.
package struct YAMLError: Error, Hashable, Sendable, CustomStringConvertible {
    package let position: YAMLPosition
    /// What is wrong and what was expected; it never repeats a value, only keys.
    package let sentence: String

    /// The sentence after its line and column: `3:1: …`.
    package var description: String { "\(position.line):\(position.column): \(sentence)" }
}

/// All errors of a YAML text, in the order in which they were found.
package struct YAMLErrors: Error, Hashable, Sendable, CustomStringConvertible {
    /// The errors, at least one.
    package let errors: [YAMLError]
    /// The document without its refused parts, so that errors of its values can be reported together with these; nil if
    /// the text could not be read to its end. Never to be used as a valid document.
    package let remainder: YAMLNode?

    /// The errors, one on each line.
    package var description: String { errors.map(\.description).joined(separator: "\n") }
}
