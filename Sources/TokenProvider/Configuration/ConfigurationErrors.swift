/// One thing wrong with the configuration.
struct ConfigurationProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// Who said it.
    let origin: SettingOrigin
    /// The key it is about, as a dotted path; nil when it is about none.
    let key: String?
    /// What was wrong and what was expected.
    let what: String
    /// Whether the value is possible by itself, but not beside the others.
    var isBreach = false

    /// The setting that the key is or is a part of: `rules` for `rules[0].ids`.
    var setting: String? { key.map { String($0.prefix { $0 != "[" }) } }

    /// The whole sentence, where it is wrong first.
    var description: String { origin.heading(key: key) + what }
}

/// All that is wrong with a configuration: one sentence each, in the order of `SettingOrigin.isBefore`.
struct ConfigurationErrors: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sentences, never none.
    let sentences: [String]
    /// Whether nothing is wrong but how flags are written.
    let areAllInFlags: Bool

    /// The errors that say `problems`, in their order of origin.
    init(_ problems: [ConfigurationProblem]) {
        // Swift's sort is stable, so that problems of one place stay in the order in which they were found.
        areAllInFlags = problems.allSatisfy { $0.origin.isFlag && !$0.isBreach }
        sentences = problems.sorted { SettingOrigin.isBefore($0.origin, $1.origin) }.map(\.description)
    }

    /// The sentences, one on each line.
    var description: String { sentences.joined(separator: "\n") }
}
