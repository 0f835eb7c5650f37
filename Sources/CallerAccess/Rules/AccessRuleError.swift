import FleetEngineToken

/// Why settings are not rules.
package enum AccessRuleError: Error, Hashable, Sendable {
    /// The rule's name is malformed.
    case malformedName
    /// Two rules have the same name.
    case repeatedName(String)
    /// The rule names no kind.
    case noKind(rule: String)
    /// The rule names an issuer or an API key by an impossible name.
    case malformedCaller(rule: String)
    /// A path to a claim has no name or an empty one.
    case emptyClaimName
    /// A path to a claim is a URL, which would be split at its dots.
    case urlAsPath
    /// The value that a claim must be or contain is empty, or neither text, integer nor boolean.
    case unfitLiteral
    /// The rule lists no ids where it should.
    case noLiteral(rule: String, IDName)
    /// The rule lists ids that no token of its kinds names.
    case idOfNoKind(rule: String, IDName, Set<TokenKind>)
    /// The rule names a kind and no id that its tokens need, so it could never allow one.
    case kindWithoutID(rule: String, TokenKind)
    /// The rule of this name reads claims, and none of its callers has any, so it could never apply.
    case claimsWithoutTokens(rule: String)

    /// One sentence: what was wrong and what was expected.
    package var sentence: String {
        switch self {
        case .malformedName:
            "the rule's name is malformed; expected 1 to \(ConfiguredName.maxBytes) characters of A-Z a-z 0-9 . _ -"
        case .repeatedName(let name): "the rule \(name) is configured twice; expected each name once"
        case .noKind(let rule): "the rule \(rule) names no kind of token; expected at least one, such as consumer"
        case .malformedCaller(let rule):
            "the rule \(rule) has a caller with a malformed name; expected an issuer or an API key's name"
        case .emptyClaimName: "the path of a claim has no name or an empty one; expected names with dots between them"
        case .urlAsPath:
            "the path of a claim is a URL, which would be split at its dots; expected a list with the name, such as "
                + "[\"https://example.com/vehicle\"]"
        case .unfitLiteral:
            "the value for a claim is malformed; expected a text that is not empty, an integer, true or false"
        case .noLiteral(let rule, let id): "the rule \(rule) lists no \(id.rawValue); expected at least one"
        case .idOfNoKind(let rule, let id, let kinds): Self.idOfNoKind(rule, id, kinds)
        case .kindWithoutID(let rule, let kind):
            "the rule \(rule) lists no ids for \(kind.rawValue) tokens; expected \(Self.list(kind.mainIDNames)) in ids"
        case .claimsWithoutTokens(let rule):
            "the rule \(rule) reads claims and is only for API keys or certificates, which have none; expected listed ids "
                + "and no claims, or an issuer's callers"
        }
    }

    private static func idOfNoKind(_ rule: String, _ id: IDName, _ kinds: Set<TokenKind>) -> String {
        let kinds = TokenKind.allCases.filter(kinds.contains)
        let possible = IDName.allCases.filter { name in kinds.contains { $0.idNames.contains(name) } }
        let tokens = kinds.map(\.rawValue).joined(separator: " and ")
        return "the rule \(rule) lists \(id.rawValue), but \(tokens) tokens have no \(id.rawValue); expected "
            + (possible.isEmpty ? "no ids" : list(possible))
    }

    private static func list(_ names: [IDName]) -> String {
        names.map(\.rawValue).joined(separator: " or ")
    }
}
