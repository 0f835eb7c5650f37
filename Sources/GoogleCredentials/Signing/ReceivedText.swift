import StrictJSON

/// Text from outside in a sentence for the log.
enum ReceivedText {
    /// The most characters that are shown.
    static let maxCharacters = 128

    /// The text's beginning, in quotation marks and with control and format characters escaped.
    static func quoted(_ text: String) -> String {
        // Scalars, since one character can have any number of them.
        var shown = String(String.UnicodeScalarView(text.unicodeScalars.prefix(maxCharacters)))
        if text.unicodeScalars.count > maxCharacters { shown += "…" }
        return JSONText.compact(.string(shown))
    }

    /// The same for a text of another service; hidden if it holds the secret or what may be a token.
    static func quoted(_ text: String, hiding secret: Secret) -> String {
        // A JWT begins with the base64url encoding of {".
        let isSecret = text.contains("eyJ") || (!secret.value.isEmpty && text.contains(secret.value))
        return isSecret ? "\"(hidden)\"" : quoted(text)
    }
}
