import FleetEngineToken

/// Why settings are not rules.
package enum AccessRuleError: Error, Hashable, Sendable {
    /// The rule's name is malformed.
    case malformedName
    /// Two rules have the same name.
    case repeatedName(String)
    /// The rule names no kind.
    case noKind
    /// The rule names an issuer or an API key by an impossible name.
    case malformedCaller
    /// A path to a claim has no name or an empty one.
    case emptyClaimName
    /// The value that a claim must be or contain is empty, or neither text, integer nor boolean.
    case unfitLiteral
    /// The rule lists no ids where it should.
    case noLiteral(IDName)
    /// The rule allows ids that no token of its kinds names.
    case idOfNoKind(IDName)
    /// The rule names a kind and no id that its tokens need, so it could never allow one.
    case kindWithoutID(TokenKind)
    /// The rule of this name reads claims, and none of its callers has any, so it could never apply.
    case claimsWithoutTokens(rule: String)

    /// One sentence: what was wrong and what was expected.
    package var sentence: String {
        switch self {
        case .malformedName:
            "the rule's name is malformed; expected 1 to \(ConfiguredName.maxBytes) characters of A-Z a-z 0-9 . _ -"
        case .repeatedName(let name): "the rule \(name) is configured twice; expected each name once"
        case .noKind: "the rule names no kind of token; expected at least one, such as consumer"
        case .malformedCaller: "the rule has a caller with a malformed name; expected an issuer or an API key's name"
        case .emptyClaimName: "the path of a claim has no name or an empty one; expected names with dots between them"
        case .unfitLiteral:
            "the value for a claim is malformed; expected a text that is not empty, an integer, true or false"
        case .noLiteral(let id): "the rule lists no \(id.rawValue); expected at least one"
        case .idOfNoKind(let id):
            "the rule allows \(id.rawValue), but none of its kinds has it; expected ids of its kinds"
        case .kindWithoutID(let kind):
            "the rule names the kind \(kind.rawValue), but no \(Self.list(kind.mainIDNames)); expected the allowed ids"
        case .claimsWithoutTokens(let rule):
            "the rule \(rule) reads claims and is only for API keys or certificates, which have none; expected listed ids "
                + "and no claims, or an issuer's callers"
        }
    }

    private static func list(_ names: [IDName]) -> String {
        names.map(\.rawValue).joined(separator: " or ")
    }
}
