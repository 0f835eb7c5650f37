import FleetEngineToken

@testable import ServiceConfiguration

/// The text of a configuration file that shows every key of the table with its default and its reason.
enum FullConfigurationText {
    /// The longest line of a comment, in characters.
    private static let width = 112
    /// The kind whose keys are shown for all kinds.
    static let shownKind = TokenKind.consumer

    /// The whole text of `config/token-provider.full.yaml`.
    static var text: String {
        var lines = preamble.flatMap { comment($0, depth: 0) }
        var section: [Substring] = []
        var isAfterShort = false
        for setting in shownSettings {
            let components = setting.path.split(separator: ".")
            let entry = entry(setting, depth: components.count - 1)
            let headers = headers(from: section, to: components)
            // Neighbours with a comment of one line form one block.
            let isShort = entry.count == 2
            if !isShort || !isAfterShort || !headers.isEmpty { lines.append("") }
            lines += headers + entry
            (section, isAfterShort) = (components.dropLast(), isShort)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// All settings, but of the kinds' own settings only those of one kind.
    static var shownSettings: [any ConfigurationSetting] {
        SettingsTable.all.filter { setting in
            TokenKind.allCases.allSatisfy { $0 == shownKind || !setting.path.hasPrefix("kinds.\($0.rawValue).") }
        }
    }

    static let preamble = [
        "Every key of token-provider, with its default. A key in a comment has no default; its line is an example. This "
            + "file is generated from the daemon's table of settings.",
        "A flag takes precedence over the environment, the environment over the file, and the file over the default. "
            + "The environment variable of a key is TOKEN_PROVIDER_ and the key in capitals, with _ for each dot: "
            + "TOKEN_PROVIDER_TOKEN_CLIENT_MARGIN for token.client_margin. Separate the elements of a list with commas. "
            + "A list of mappings has no variable.",
        "A relative path starts from the folder of this file. \"Restart to apply\" means that a reload (SIGHUP) does not "
            + "change the setting. A duration is a number with ms, s, m or h; a size is a number of bytes or has KiB, MiB "
            + "or GiB.",
    ]

    /// The lines that open the sections of `components` which `section` is not in.
    private static func headers(from section: [Substring], to components: [Substring]) -> [String] {
        let parents = components.dropLast()
        let shared = zip(section, parents).prefix { $0 == $1 }.count
        return (shared..<parents.count).flatMap { depth in
            let opened = parents.prefix(depth + 1)
            // A section whose keys have no defaults would be a key without a value.
            let mark = hasDefault(below: opened) ? "" : "# "
            let introduction =
                opened.elementsEqual(["kinds", Substring(shownKind.rawValue)]) ? kinds(depth: depth) : []
            return introduction + [indentation(depth) + mark + parents[depth] + ":"]
        }
    }

    private static func kinds(depth: Int) -> [String] {
        let sentence =
            "Each kind of token can have these keys. They are shown for \(shownKind.rawValue). The kinds, who uses "
            + "their tokens for which ids, and the role that their account needs:"
        return comment(sentence, depth: depth)
            + TokenKind.allCases.map { "\(indentation(depth))# - \(SettingsTable.purpose(of: $0))" }
    }

    private static func hasDefault(below section: ArraySlice<Substring>) -> Bool {
        let prefix = section.joined(separator: ".") + "."
        return SettingsTable.all.contains { $0.path.hasPrefix(prefix) && $0.defaultText != nil }
    }

    private static func entry(_ setting: any ConfigurationSetting, depth: Int) -> [String] {
        let key = setting.path.split(separator: ".").suffix(1).joined()
        let assignment = setting.defaultText.map { ["\(key): \($0)"] } ?? example(of: setting, key)
        let limit = setting.isReadAtStart ? " Restart to apply." : ""
        let sentences = "\(setting.reason) Expected: \(setting.expectation).\(limit)"
        return comment(sentences, depth: depth) + assignment.map { indentation(depth) + $0 }
    }

    /// A setting without a default, as a comment; an example that is a list of mappings has its own lines.
    private static func example(of setting: any ConfigurationSetting, _ key: String) -> [String] {
        let example = setting.example ?? ""
        guard setting.isOfRecords else { return ["# \(key): \(example)"] }
        return ["# \(key):"] + example.split(separator: "\n").map { "#   \($0)" }
    }

    /// `text` as comment lines, broken between words.
    private static func comment(_ text: String, depth: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + word.count + 1 > width - 2 * depth - 2 {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " \(word)"
        }
        return (lines + [line]).map { "\(indentation(depth))# \($0)" }
    }

    private static func indentation(_ depth: Int) -> String {
        String(repeating: "  ", count: depth)
    }
}
