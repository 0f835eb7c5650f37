/// A rule to which an API key is restricted, and the key's line.
public struct APIKeyRestriction: Hashable, Sendable {
    /// The line, counted from 1.
    public let line: Int
    /// The key's name.
    public let key: String
    /// The rule's name.
    public let rule: String
}
