import StrictJSON

/// A service account's e-mail address: NAME@DOMAIN in letters, digits, and `.`, `_`, `-` or `+`. Valid once it exists, it
/// needs no encoding in a URL's path (RFC 3986 section 3.3) and no quoting in a shell.
package struct ServiceAccountEmail: Hashable, Sendable {
    /// The longest address (RFC 5321 section 4.5.3.1).
    private static let maxBytes = 254

    /// The address.
    package let text: String

    /// Nil if the text is not such an address.
    package init?(_ text: String) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= Self.maxBytes,
            parts.allSatisfy({
                !$0.isEmpty && !$0.hasPrefix("-") && $0.utf8.allSatisfy { $0.isAlphanumeric(or: "._-+") }
            })
        else { return nil }
        self.text = text
    }
}
