@testable import ServiceConfiguration

/// The text of token-provider.yaml(5), the manual page of the settings (man(7)).
enum SettingsManualText {
    /// The whole text of `config/token-provider.yaml.5`.
    static var text: String {
        let lines = opening + FullConfigurationText.shownSettings.flatMap(entry) + closing
        return lines.joined(separator: "\n") + "\n"
    }

    /// How a setting's path is written.
    static func heading(of setting: any ConfigurationSetting) -> String { ".B \(escaped(setting.path))" }

    private static let opening =
        [
            #".TH TOKEN-PROVIDER.YAML 5 "" "token-provider" "File Formats""#, ".SH NAME",
            #"token\-provider.yaml \- the configuration of token\-provider"#, ".SH DESCRIPTION",
        ]
        + [".PP", "Each key of the file, with its default or, without one, an example."]
        + FullConfigurationText.preamble.dropFirst().flatMap { [".PP", escaped($0)] }
        + [
            ".PP", "A path such as log.level means the key level in the mapping log:", ".PP", ".RS 4", ".nf", "log:",
            "  level: warning", ".fi", ".RE", ".SH SETTINGS",
        ]

    private static let closing = [".SH SEE ALSO", ".BR token\\-provider (1)"]

    private static func entry(_ setting: any ConfigurationSetting) -> [String] {
        let limit = setting.isReadAtStart ? [" Restart to apply."] : []
        let value = setting.defaultText.map { ["Default: \(escaped($0))."] } ?? example(setting)
        return [".TP", heading(of: setting), escaped(setting.reason)]
            + [escaped("Expected: \(setting.expectation).") + limit.joined()] + value
    }

    private static func example(_ setting: any ConfigurationSetting) -> [String] {
        let lines = (setting.example ?? "").split(separator: "\n").map { escaped(String($0)) }
        guard setting.isOfRecords else { return lines.map { "Example: \($0)." } }
        return ["Example:", ".RS", ".nf"] + lines + [".fi", ".RE"]
    }

    /// As manual/escaped in `systemd/debian/manual`.
    private static func escaped(_ text: String) -> String {
        let escaped = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("'", with: "\\(aq")
        return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
    }
}
