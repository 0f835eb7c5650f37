/// One text that a source says for a setting.
package struct SettingText: Sendable {
    /// The text without quotes.
    package let text: String
    /// Whether it stood in quotes, which numbers and booleans must not.
    package let isQuoted: Bool
    /// Where it stands.
    package let origin: SettingOrigin
    /// The folder that relative paths begin in, empty or ending in a slash.
    package let folder: String

    /// `path`, reached from the current directory.
    func located(_ path: String) -> String {
        path.hasPrefix("/") ? path : folder + path
    }

    /// A value of these parts.
    package init(text: String, isQuoted: Bool, origin: SettingOrigin, folder: String) {
        self.text = text
        self.isQuoted = isQuoted
        self.origin = origin
        self.folder = folder
    }
}

/// All that one source says for a setting: one text, a list of them, or a list of mappings.
package struct SettingInput: Sendable {
    /// Where the setting is named.
    let origin: SettingOrigin
    /// The texts, exactly one unless `isList`.
    let texts: [SettingText]
    /// Whether it is written as a list.
    let isList: Bool
    /// The mappings of a setting that is made of them.
    var records: [SettingRecord] = []
}
