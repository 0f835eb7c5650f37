/// One error in the configuration.
package struct ConfigurationProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The source that gave the wrong value.
    let origin: SettingOrigin
    /// The key it is about, as a dotted path; nil if it is about none.
    let key: String?
    /// What is wrong and what was expected.
    let what: String
    /// Whether the value is possible by itself, but not together with the others.
    var isBreach = false

    /// The setting that the key is or is a part of: `rules` for `rules[0].ids`.
    var setting: String? { key.map { String($0.prefix { $0 != "[" }) } }

    /// The whole sentence, which begins with the place.
    package var description: String { origin.heading(key: key) + what }
}

/// All errors of what one source gives for a setting.
package struct SettingFailure: Error {
    /// The problems, at least one.
    let problems: [ConfigurationProblem]
}

/// All errors of a configuration and of the files that it names: one sentence each.
package struct ConfigurationErrors: Error, Hashable, Sendable, CustomStringConvertible {
    package private(set) var sentences: [String]
    /// Whether every error is in the way a flag is written.
    package private(set) var areAllInFlags = false

    /// Whether every error may pass without a change of a setting or a file, such as that of a device that does not answer.
    package private(set) var mayPass = false

    package init(sentences: [String], mayPass: Bool = false) { (self.sentences, self.mayPass) = (sentences, mayPass) }

    /// One error.
    package init(_ sentence: String, mayPass: Bool = false) { self.init(sentences: [sentence], mayPass: mayPass) }

    /// The errors for `problems`, in the order of `SettingOrigin.isBefore`.
    init(_ problems: [ConfigurationProblem]) {
        areAllInFlags = problems.allSatisfy { $0.origin.isFlag && !$0.isBreach }
        // Swift's sort is stable, so problems of one place stay in the order in which they were found.
        sentences = problems.sorted { SettingOrigin.isBefore($0.origin, $1.origin) }.map(\.description)
    }

    /// The sentences, one on each line.
    package var description: String { sentences.joined(separator: "\n") }

    /// The result of `make`; an error becomes its sentence, after the place.
    package static func wrapping<Value, Failure: Error>(
        _ place: String, _ make: () throws(Failure) -> Value, sentence: (Failure) -> String
    ) throws(ConfigurationErrors) -> Value {
        do { return try make() } catch { throw ConfigurationErrors("\(place): \(sentence(error))") }
    }

    /// Adds an error.
    package mutating func note(_ sentence: String) { sentences.append(sentence) }

    /// The result of `make`; nil, with its errors added to these, if it throws.
    package mutating func noting<Value>(_ make: () throws(ConfigurationErrors) -> Value) -> Value? {
        do { return try make() } catch {
            sentences += error.sentences
            return nil
        }
    }
}
