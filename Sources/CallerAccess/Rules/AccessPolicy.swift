public import FleetEngineToken

/// All the rules: what one of them allows is allowed, what one of them asks about is asked, and everything else is denied.
public struct AccessPolicy: Sendable {
    private let rules: PerKind<[AccessRule]>

    /// The policy of these rules; throws if two have the same name.
    public init(rules: [AccessRule]) throws(AccessRuleError) {
        var names: Set<String> = []
        for rule in rules {
            guard names.insert(rule.name).inserted else { throw .repeatedName(rule.name) }
        }
        self.rules = PerKind { kind in rules.filter { $0.kinds.contains(kind) } }
    }

    /// Whether the caller may have a token with these claims, by the first rule that allows it by itself, or else by the
    /// first that asks.
    public func decide(_ principal: Principal, _ wanted: PrivateClaims) -> AccessDecision {
        var denials: [AccessDenial] = []
        var asking: String?
        for rule in rules[wanted.kind] {
            if let shortfall = rule.shortfall(principal, wanted) {
                denials.append(AccessDenial(shortfall, rule: rule.name))
            } else if rule.asksBackEnd {
                asking = asking ?? rule.name
            } else {
                return .allowed(rule: rule.name)
            }
        }
        if let asking { return .ask(rule: asking) }
        return .denied(denials.isEmpty ? [AccessDenial(noRuleFor: wanted.kind)] : denials)
    }
}
