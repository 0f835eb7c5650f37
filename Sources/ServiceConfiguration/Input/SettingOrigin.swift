import StrictYAML

/// Where a value came from, as an error names it.
package enum SettingOrigin: Hashable, Sendable {
    /// The configuration as a whole: no source gives the value.
    case whole
    /// The configuration file, by the name it was opened with.
    case file(name: String, position: YAMLPosition)
    /// An environment variable, by its name.
    case environment(name: String)
    /// A flag of the command line, such as `--listen`.
    case flag(name: String)

    /// The beginning of a sentence about `key`: `token-provider.yaml:12:3: token.lifetime: `.
    package func heading(key: String?) -> String {
        switch self {
        case .whole: ""
        case .file(let name, let position):
            "\(name):\(position.line):\(position.column): " + (key.map { "\(QuotedText($0).escaped): " } ?? "")
        case .environment(let name): "environment \(QuotedText(name).escaped): "
        case .flag(let name): "\(name): "
        }
    }

    /// What gives the value of `key`, such as `log.level in token-provider.yaml:12`.
    package func phrase(key: String) -> String {
        switch self {
        case .whole: "the default of \(key)"
        case .file(let name, let position): "\(key) in \(name):\(position.line)"
        case .environment(let name): QuotedText(name).escaped
        case .flag(let name): name
        }
    }

    /// Whether it is a flag.
    var isFlag: Bool {
        if case .flag = self { true } else { false }
    }

    /// The line of the configuration file; nil for other origins.
    var line: Int? {
        if case .file(_, let position) = self { position.line } else { nil }
    }

    /// The order of errors: the file from top to bottom, then the environment, the flags and the whole.
    static func isBefore(_ left: SettingOrigin, _ right: SettingOrigin) -> Bool {
        left.rank < right.rank
    }

    private var rank: (source: Int, line: Int, column: Int, name: String) {
        switch self {
        case .file(_, let position): (0, position.line, position.column, "")
        case .environment(let name): (1, 0, 0, name)
        case .flag(let name): (2, 0, 0, name)
        case .whole: (3, 0, 0, "")
        }
    }
}
