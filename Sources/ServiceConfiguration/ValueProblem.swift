import StrictYAML

/// Why a text is no value of a setting; what was expected is added by the setting.
package struct ValueProblem: Error, Equatable {
    /// What follows the quoted text in the sentence: `is over 1h`.
    let what: String
    /// Whether the text stays out of the sentence, because it may be a secret.
    let hidesText: Bool

    /// A problem of a text that may be shown unless `hidingText`.
    init(_ what: String, hidingText: Bool = false) {
        self.what = what
        hidesText = hidingText
    }

    /// The sentence about `text`: what is wrong, and what was expected.
    func sentence(about text: String, expected: String) -> String {
        let subject = hidesText ? "" : "\(QuotedText(text)) "
        return "\(subject)\(what); expected \(expected)"
    }
}
