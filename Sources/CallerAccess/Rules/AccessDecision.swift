import FleetEngineToken
import StrictJSON

/// Whether a caller may have a token.
package enum AccessDecision: Sendable {
    /// By the rule of this name.
    case allowed(rule: String)
    /// If the company's back end, which the rule of this name asks, allows it.
    case ask(rule: String)
    /// By no rule; why not by each that names the kind of token, or that none does.
    case denied([AccessDenial])
}

/// A condition of the decision about a request, for operators.
package struct DecisionCheck: Equatable, Sendable {
    /// Such as `audience` or `rule drivers`.
    package let name: String
    /// Nil for what is not compared.
    package let isMet: Bool?
    /// The value, and what was expected where that differs.
    package let detail: String

    package init(_ name: String, _ isMet: Bool?, _ detail: String) {
        (self.name, self.isMet, self.detail) = (name, isMet, detail)
    }
}

/// Why a rule did not allow a token: for the log and for the operator, not for the client.
package struct AccessDenial: Sendable {
    private enum Reason {
        case noRule
        case shortfall(AccessShortfall, rule: String)
    }

    private let reason: Reason
    private let wanted: PrivateClaims

    init(_ shortfall: AccessShortfall, rule: String, _ wanted: PrivateClaims) {
        (reason, self.wanted) = (.shortfall(shortfall, rule: rule), wanted)
    }

    init(noRuleFor wanted: PrivateClaims) {
        (reason, self.wanted) = (.noRule, wanted)
    }

    /// One sentence: which rule, and what it misses. It holds names and literals of the rule and nothing of the caller's
    /// claims, and of the ids only what `naming` makes of them; without that refusals are counted by it.
    package func sentence(naming text: ((FleetEngineID) -> String)? = nil) -> String {
        switch reason {
        case .noRule: "no rule names the kind \(wanted.kind.rawValue)"
        case .shortfall(let shortfall, let rule):
            "the rule \(rule) does not apply: \(shortfall.sentence(wanted, naming: text))"
        }
    }
}

extension [AccessDenial] {
    private static var reserved: Int { 40 }

    /// The sentences, as many as fit into so many bytes, and the number of the others.
    package func sentences(naming text: ((FleetEngineID) -> String)? = nil, maxBytes: Int = .max) -> String {
        var sentences = ""
        for (index, denial) in enumerated() {
            let next = (index == 0 ? "" : "; ") + denial.sentence(naming: text)
            guard index == 0 || sentences.utf8.count + next.utf8.count <= maxBytes - Self.reserved else {
                return "\(sentences); \(count - index) more rules do not apply"
            }
            sentences += next
        }
        return sentences
    }
}

extension AccessShortfall {
    /// What the rule misses; with the values of claims, and the nearest of a missing one, if `claims` are the token's.
    fileprivate func sentence(
        _ wanted: PrivateClaims, naming text: ((FleetEngineID) -> String)?, showing claims: JSONObject? = nil
    ) -> String {
        switch self {
        case .caller: "it is for other callers"
        case .notOfCaller: "the caller is restricted to other rules"
        case .noClaims: "it requires claims, and the caller has no token with claims"
        case .claim(let mismatch, let requirement): requirement.sentence(mismatch, showing: claims)
        case .unmentioned(let name): "it allows no \(name.rawValue)"
        case .unlisted(let name, let listed):
            "it does not list "
                + ClaimMismatch.list(name, wanted.ids(of: name).filter { !listed.contains($0) }, isNamed: true, text)
        case .ungranted(let name, let mismatch):
            mismatch.sentence(name, wanted.ids(of: name), naming: text, showing: claims)
        case .everyTask: "it allows tasks by their ids; no rule can allow every task"
        }
    }
}

extension AccessPolicy {
    /// Each rule for the kind, with the first condition that it misses beside the value in the claims of the caller's token.
    package func checks(_ principal: Principal, _ wanted: PrivateClaims, _ claims: JSONObject) -> [DecisionCheck] {
        let rules = rules[wanted.kind]
        guard !rules.isEmpty else {
            return [DecisionCheck("rules", false, AccessDenial(noRuleFor: wanted).sentence())]
        }
        return rules.map { rule in
            let shortfall = rule.shortfall(principal, wanted)
            let detail =
                switch shortfall {
                case nil: rule.asksBackEnd ? "it asks the back end" : "it allows this"
                case .caller: "it is for other callers than \(principal.source)"
                case let other?: other.sentence(wanted, naming: { ReceivedValue.text($0) }, showing: claims)
                }
            return DecisionCheck("rule \(rule.name)", shortfall == nil, detail)
        }
    }
}

extension PrivateClaims {
    /// The ids of this name that the token would hold.
    fileprivate func ids(of name: IDName) -> [FleetEngineID] {
        switch (self, name) {
        case (.trustedDeliveryVehicle(_, let task), .taskID): task.map { [$0] } ?? []
        case (.trustedDeliveryVehicle(let id, _), _): [id]
        default: ids
        }
    }
}
