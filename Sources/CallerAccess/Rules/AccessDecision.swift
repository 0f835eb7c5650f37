import FleetEngineToken

/// Whether a caller may have a token.
package enum AccessDecision: Sendable {
    /// By the rule of this name.
    case allowed(rule: String)
    /// If the company's back end allows it, whom the rule of this name asks.
    case ask(rule: String)
    /// By no rule; why not by each that names the kind of token, or that none does.
    case denied([AccessDenial])
}

/// Why a rule did not allow a token: for the log and for the operator, not for the client.
package struct AccessDenial: Sendable {
    private enum Reason {
        case noRule(TokenKind)
        case shortfall(AccessShortfall, rule: String)
    }

    private let reason: Reason

    init(_ shortfall: AccessShortfall, rule: String) {
        reason = .shortfall(shortfall, rule: rule)
    }

    init(noRuleFor kind: TokenKind) {
        reason = .noRule(kind)
    }

    /// One sentence: which rule, what it missed and what it expected; put together when it is asked for. It holds names
    /// and literals of the rule, and nothing of the caller's token or of the ids.
    package var sentence: String {
        switch reason {
        case .noRule(let kind): "no rule names the kind \(kind.rawValue)"
        case .shortfall(let shortfall, let rule): "the rule \(rule) does not apply: \(shortfall.sentence)"
        }
    }
}

extension AccessShortfall {
    fileprivate var sentence: String {
        switch self {
        case .caller: "it is for other callers"
        case .notOfCaller: "the caller is restricted to other rules"
        case .noClaims: "it asks for claims, and the caller has no token that holds some"
        case .claim(let mismatch, let requirement): "\(mismatch.phrase); expected \(requirement.expected)"
        case .unmentioned(let name): "it allows no \(name.rawValue)"
        case .unlisted(.taskIDs): "the taskIDs are not all among those that it lists"
        case .unlisted(let name): "the \(name.rawValue) is none of those that it lists"
        case .ungranted(.taskIDs, let mismatch): "\(mismatch.phrase); expected every one of the taskIDs in an array"
        case .ungranted(let name, let mismatch):
            "\(mismatch.phrase); expected the \(name.rawValue) as a text or in an array"
                + (mismatch.isInteger ? ", since an integer never equals an id" : "")
        case .everyTask: "it allows tasks by their ids, and nothing allows every task"
        }
    }
}
