/// One text that a source says for a setting.
struct SettingText: Sendable {
    /// The text without quotes.
    let text: String
    /// Whether it stood in quotes, which numbers and booleans must not.
    let isQuoted: Bool
    /// Where it stands.
    let origin: SettingOrigin
    /// The folder that relative paths begin in, empty or ending in a slash.
    let folder: String

    /// `path`, reached from the current directory.
    func located(_ path: String) -> String {
        path.hasPrefix("/") ? path : folder + path
    }
}

/// All that one source says for a setting: one text, a list of them, or a list of mappings.
struct SettingInput: Sendable {
    /// Where the setting is named.
    let origin: SettingOrigin
    /// The texts, exactly one unless `isList`.
    let texts: [SettingText]
    /// Whether it is written as a list.
    let isList: Bool
    /// The mappings of a setting that is made of them.
    var records: [SettingRecord] = []
}
