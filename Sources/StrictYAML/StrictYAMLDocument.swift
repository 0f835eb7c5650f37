/// The strict subset of YAML that configuration is written in: one document of nulls, scalars, sequences and mappings.
package enum StrictYAMLDocument {
    /// The longest text that is read, in bytes: 1 MiB.
    package static let maximumBytes = 1 << 20
    /// How deep sequences and mappings may stand in each other.
    package static let maximumDepth = 16

    /// Reads one YAML document (YAML 1.1 as libyaml reads it); nil when there is none but comments.
    ///
    /// Refused: repeated keys, keys that are not scalars, merge keys, anchors, aliases, tags, a second document, bytes
    /// that are no UTF-8, control characters, and more than `maximumBytes` or `maximumDepth`.
    package static func parse(_ bytes: [UInt8]) throws(YAMLErrors) -> YAMLNode? {
        do {
            try YAMLCharacters.check(bytes, maximumBytes: maximumBytes)
        } catch {
            throw YAMLErrors(errors: [error], remainder: nil)
        }
        var composer = YAMLComposer(events: YAMLEventParser(bytes), maximumDepth: maximumDepth)
        return try composer.document()
    }
}
