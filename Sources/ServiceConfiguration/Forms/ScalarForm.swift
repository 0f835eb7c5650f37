import FleetEngineToken
import StrictYAML
import SystemFiles

/// How one text becomes a value and back, with the expectation in words.
package struct ScalarForm<Value: Sendable>: Sendable {
    /// What the text must be: "a duration from 1s to 1h".
    package let expectation: String
    /// Whether quotes are refused, because the value is not a text.
    package let isPlain: Bool
    /// The value of a text.
    package let read: @Sendable (SettingText) throws(ValueProblem) -> Value
    /// The text of a value.
    package let write: @Sendable (Value) -> String

    /// A form whose values are written as their descriptions, unless it says how.
    package init(
        _ expectation: String, isPlain: Bool = false, write: @escaping @Sendable (Value) -> String = { "\($0)" },
        read: @escaping @Sendable (SettingText) throws(ValueProblem) -> Value
    ) {
        (self.expectation, self.isPlain, self.write, self.read) = (expectation, isPlain, write, read)
    }

    /// A form whose values are made of the text alone; `problem` puts into words why one cannot be made.
    init<Failure: Error>(
        _ expectation: String, hidingText: Bool = false,
        making make: @escaping @Sendable (String) throws(Failure) -> Value,
        problem: @escaping @Sendable (Failure) -> String
    ) {
        self.init(expectation) { (text) throws(ValueProblem) in
            do throws(Failure) { return try make(text.text) } catch {
                throw ValueProblem(problem(error), hidingText: hidingText)
            }
        }
    }

    /// The value of `text`; throws the sentence that names what was expected.
    package func value(of text: SettingText, key: String) throws(ConfigurationProblem) -> Value {
        let value: Value
        do throws(ValueProblem) {
            guard !isPlain || !text.isQuoted else { throw ValueProblem("is in quotes") }
            value = try read(text)
        } catch {
            let sentence = error.sentence(about: text.text, expected: expectation)
            throw ConfigurationProblem(origin: text.origin, key: key, what: sentence)
        }
        // Claims and names of files are compared byte for byte, but Swift's texts by canonical equivalence.
        guard text.text.isInNormalizationFormC else {
            throw ConfigurationProblem(
                origin: text.origin, key: key,
                what: "is not in Unicode's Normalization Form C; expected that form, in names of files too")
        }
        return value
    }
}

/// Why a text is not a value of a setting; the setting adds what was expected.
package struct ValueProblem: Error, Equatable {
    /// What follows the quoted text in the sentence: `is over 1h`.
    let what: String
    /// Whether the text is left out of the sentence, because it may be a secret.
    let hidesText: Bool

    /// A problem of a text that may be shown unless `hidingText`.
    init(_ what: String, hidingText: Bool = false) {
        self.what = what
        hidesText = hidingText
    }

    /// The sentence about `text`: what is wrong, and what was expected.
    func sentence(about text: String, expected: String) -> String {
        let subject = hidesText || PastedSecret.resembles(text) ? "" : "\(QuotedText(text)) "
        return "\(subject)\(what); expected \(expected)"
    }
}
