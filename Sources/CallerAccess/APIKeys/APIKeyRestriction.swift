/// A rule to which an API key is restricted, and the key's line.
package struct APIKeyRestriction: Hashable, Sendable {
    /// The line, counted from 1.
    package let line: Int
    /// The key's name.
    package let key: String
    /// The rule's name.
    package let rule: String
}
