import StrictJSON

/// Text from outside in a sentence for the log: cut, with control and format characters escaped, and hidden if it holds a part
/// of a secret.
enum ReceivedText {
    /// The most characters that are shown.
    static let maxCharacters = 128
    /// So many bytes in a row of a secret are taken for the secret.
    private static let revealing = 8

    /// The text's beginning in quotation marks.
    static func quoted(_ text: String) -> String {
        // Scalars, since one character can have any number of them.
        var shown = String(String.UnicodeScalarView(text.unicodeScalars.prefix(maxCharacters)))
        if text.unicodeScalars.count > maxCharacters { shown += "…" }
        return JSONText.compact(.string(shown))
    }

    /// The same for a text of another service.
    static func quoted(_ text: String, hiding secret: Secret) -> String {
        holdsSecret(text, [secret]) ? "\"(hidden)\"" : quoted(text)
    }

    /// The same without quotation marks, cut once it is escaped.
    static func bare(_ text: String, hiding secrets: [Secret]) -> String {
        guard !holdsSecret(text, secrets) else { return "(hidden)" }
        let escaped = JSONText.bare(JSONName(String(text.unicodeScalars.prefix(maxCharacters + 1))))
        let cut = String(escaped.unicodeScalars.prefix(maxCharacters))
        return cut.utf8.count == escaped.utf8.count ? cut : "\(cut)…"
    }

    /// Whether the text holds a part of a secret, or the beginning of a JWT or of an access token of Google.
    private static func holdsSecret(_ text: String, _ secrets: [Secret]) -> Bool {
        let bytes = Array(text.utf8)
        return ["eyJ", "ya29."].contains { text.contains($0) }
            || secrets.contains { reveals(bytes, Array($0.value.utf8)) }
    }

    /// Whether the text and the secret have so many bytes in a row in common.
    private static func reveals(_ text: [UInt8], _ secret: [UInt8]) -> Bool {
        guard !secret.isEmpty else { return false }
        let length = min(revealing, secret.count)
        guard text.count >= length else { return false }
        let parts = Set((0...secret.count - length).map { secret[$0..<$0 + length] })
        return (0...text.count - length).contains { parts.contains(text[$0..<$0 + length]) }
    }
}
