import FleetEngineToken

/// All the rules: what one of them allows is allowed, what one of them asks about is asked, and everything else is denied.
package struct AccessPolicy: Sendable {
    let rules: PerKind<[AccessRule]>

    /// The policy of these rules; throws if two have the same name.
    package init(rules: [AccessRule]) throws(AccessRuleError) {
        var names: Set<String> = []
        for rule in rules {
            guard names.insert(rule.name).inserted else { throw .repeatedName(rule.name) }
        }
        self.rules = PerKind { kind in rules.filter { $0.kinds.contains(kind) } }
    }

    /// Whether the caller may have a token with these claims, by the first rule that allows it by itself, or else by the
    /// first that asks.
    package func decide(_ principal: Principal, _ wanted: PrivateClaims) -> AccessDecision {
        var asking: String?
        for rule in rules[wanted.kind] where rule.shortfall(principal, wanted) == nil {
            guard rule.asksBackEnd else { return .allowed(rule: rule.name) }
            asking = asking ?? rule.name
        }
        if let asking { return .ask(rule: asking) }
        return .denied(denials(principal, wanted))
    }

    /// What each rule misses; only calculated if no rule allows the token.
    private func denials(_ principal: Principal, _ wanted: PrivateClaims) -> [AccessDenial] {
        let denials = rules[wanted.kind].compactMap { rule in
            rule.shortfall(principal, wanted).map { AccessDenial($0, rule: rule.name, wanted) }
        }
        return denials.isEmpty ? [AccessDenial(noRuleFor: wanted)] : denials
    }
}
