/// A secret that was given where the path of its file, or its name, was expected: no message may show it.
package enum PastedSecret {
    /// Private keys in PEM and in base64, JSON and tokens in base64url, and API keys begin so.
    private static let beginnings = ["-----BEGIN", "LS0tLS1CRUdJTi", "eyJ", "tpk_"]

    /// Whether a text may be a secret.
    package static func resembles(_ text: String) -> Bool {
        text.contains("PRIVATE KEY") || beginnings.contains { text.hasPrefix($0) }
    }

    /// Whether a text may be the content of a file of credentials, not its path.
    package static func isContent(_ text: String) -> Bool { resembles(text) || text.contains("{") }
}
