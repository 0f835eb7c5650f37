import StrictYAML

/// One text that a source gives for a setting.
package struct SettingText: Sendable {
    /// The text without quotes.
    package let text: String
    /// Whether it was quoted, which numbers and booleans must not be.
    package let isQuoted: Bool
    package let origin: SettingOrigin
    /// The folder that relative paths start from, empty or ending in a slash.
    package let folder: String

    /// `path`, relative to the current directory.
    func located(_ path: String) -> String {
        path.hasPrefix("/") ? path : folder + path
    }

    package init(text: String, isQuoted: Bool, origin: SettingOrigin, folder: String) {
        (self.text, self.isQuoted, self.origin, self.folder) = (text, isQuoted, origin, folder)
    }
}

/// Everything that one source gives for a setting: one text, a list of texts, or a list of mappings.
package struct SettingInput: Sendable {
    /// Where the setting is named.
    let origin: SettingOrigin
    /// The texts, exactly one unless `isList`.
    let texts: [SettingText]
    /// Whether it is written as a list.
    let isList: Bool
    /// The mappings of a setting that is a list of mappings.
    var records: [SettingRecord] = []
}

/// One mapping that a file gives for a setting, such as a rule.
struct SettingRecord: Sendable {
    /// The dotted path of the mapping, such as `rules[0].ids`.
    let path: String
    /// Where it begins.
    let position: YAMLPosition
    let entries: [YAMLEntry]
    let source: YAMLSource

    /// Nil if the node is not a mapping.
    init?(_ node: YAMLNode, path: String, source: YAMLSource) {
        guard case .mapping(let entries) = node.value else { return nil }
        (self.path, self.position, self.entries, self.source) = (path, node.position, entries, source)
    }

    /// The entry of a key; nil if there is none.
    func entry(_ key: String) -> YAMLEntry? { entries.first { $0.key == key } }

    /// The text of a key that holds a single text.
    func text(_ key: String) -> String? {
        guard case .scalar(let text, _) = entry(key)?.value.value else { return nil }
        return text
    }
}
