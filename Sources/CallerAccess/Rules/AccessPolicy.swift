public import FleetEngineToken

/// All the rules: what one of them allows is allowed, what one of them asks about is asked, and everything else is denied.
public struct AccessPolicy: Sendable {
    /// A rule, held by reference: to copy each that is looked at would cost more than the look.
    private final class Held: Sendable {
        let rule: AccessRule

        init(_ rule: AccessRule) { self.rule = rule }
    }

    private let rules: PerKind<[Held]>

    /// The policy of these rules; throws if two have the same name.
    public init(rules: [AccessRule]) throws(AccessRuleError) {
        var names: Set<String> = []
        for rule in rules {
            guard names.insert(rule.name).inserted else { throw .repeatedName(rule.name) }
        }
        let all = rules.map { Held($0) }
        self.rules = PerKind { kind in all.filter { $0.rule.kinds.contains(kind) } }
    }

    /// Whether the caller may have a token with these claims, by the first rule that allows it by itself, or else by the
    /// first that asks.
    public func decide(_ principal: Principal, _ wanted: PrivateClaims) -> AccessDecision {
        var asking: String?
        for held in rules[wanted.kind] where held.rule.shortfall(principal, wanted) == nil {
            guard held.rule.asksBackEnd else { return .allowed(rule: held.rule.name) }
            asking = asking ?? held.rule.name
        }
        if let asking { return .ask(rule: asking) }
        return .denied(denials(principal, wanted))
    }

    /// What each rule misses; put together only once nothing allows the token.
    private func denials(_ principal: Principal, _ wanted: PrivateClaims) -> [AccessDenial] {
        let denials = rules[wanted.kind].compactMap { held in
            held.rule.shortfall(principal, wanted).map { AccessDenial($0, rule: held.rule.name) }
        }
        return denials.isEmpty ? [AccessDenial(noRuleFor: wanted.kind)] : denials
    }
}
