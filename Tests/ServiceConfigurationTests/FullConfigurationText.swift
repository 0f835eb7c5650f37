@testable import ServiceConfiguration

/// The text of a configuration file that shows every key of the table with its default and its reason.
enum FullConfigurationText {
    /// The longest line of a comment, in characters.
    private static let width = 100

    /// The whole text of `config/token-provider.full.yaml`.
    static var text: String {
        var lines = comment(preamble, depth: 0)
        var section: [Substring] = []
        for setting in SettingsTable.all {
            let components = setting.path.split(separator: ".")
            lines.append("")
            lines += headers(from: section, to: components)
            lines += entry(setting, depth: components.count - 1)
            section = components.dropLast()
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let preamble =
        "Every key of token-provider with its default and the reason for it; a key behind # has no default. This file "
        + "is generated from the daemon's own table of settings. A flag wins over the environment, the environment over "
        + "the file, and the file over the default; lists are separated by commas in the environment."

    /// The lines that open the sections of `components` which `section` is not in.
    private static func headers(from section: [Substring], to components: [Substring]) -> [String] {
        let parents = components.dropLast()
        let shared = zip(section, parents).prefix { $0 == $1 }.count
        return (shared..<parents.count).map { depth in
            // A section whose keys have no defaults would be a key without a value.
            let mark = hasDefault(below: parents.prefix(depth + 1)) ? "" : "# "
            return indentation(depth) + mark + parents[depth] + ":"
        }
    }

    private static func hasDefault(below section: ArraySlice<Substring>) -> Bool {
        let prefix = section.joined(separator: ".") + "."
        return SettingsTable.all.contains { $0.path.hasPrefix(prefix) && $0.defaultText != nil }
    }

    private static func entry(_ setting: any ConfigurationSetting, depth: Int) -> [String] {
        let key = setting.path.split(separator: ".").suffix(1).joined()
        let assignment = setting.defaultText.map { ["\(key): \($0)"] } ?? example(of: setting, key)
        // No variable holds a list of mappings.
        let variable = setting.isOfRecords ? [] : ["Environment: \(setting.environmentName)"]
        let limit = setting.isReadAtStart ? ["Read at the start alone."] : []
        let lines = [setting.reason] + limit + ["Expected: \(setting.expectation)."] + variable
        return lines.flatMap { comment($0, depth: depth) } + assignment.map { indentation(depth) + $0 }
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
