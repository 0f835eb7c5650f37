/// How one text becomes a value and back, and what is expected of it in words.
package struct ScalarForm<Value: Sendable>: Sendable {
    /// What the text must be: "a duration from 1s to 1h".
    package let expectation: String
    /// Whether quotes are refused, because the value is no text.
    package var isPlain = false
    /// The value of a text.
    package let read: @Sendable (SettingText) throws(ValueProblem) -> Value
    /// The text of a value.
    package let write: @Sendable (Value) -> String

    /// The value of `text`, refused by the sentence that names what was expected.
    package func value(of text: SettingText, key: String) throws(ConfigurationProblem) -> Value {
        do throws(ValueProblem) {
            guard !isPlain || !text.isQuoted else { throw ValueProblem("is in quotes") }
            return try read(text)
        } catch {
            let sentence = error.sentence(about: text.text, expected: expectation)
            throw ConfigurationProblem(origin: text.origin, key: key, what: sentence)
        }
    }
}
