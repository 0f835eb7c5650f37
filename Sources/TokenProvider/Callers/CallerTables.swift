import CallerAccess
import FleetEngineToken
import HTTPServer

/// Who is calling, and may they have this token: all that a decision depends on, made from one configuration, and the one
/// way to a `Grant`.
final class CallerTables: Sendable {
    /// Nil where nobody is asked who they are.
    private let authenticators: Authenticators?
    fileprivate let policy: AccessPolicy

    init(authenticators: Authenticators?, policy: AccessPolicy) {
        (self.authenticators, self.policy) = (authenticators, policy)
    }

    /// What a request shows to prove who is calling; nothing is looked for where nobody is asked.
    func credentials(of request: borrowing HTTPRequest) -> CallerCredentials {
        guard let authenticators else { return .none }
        return CallerCredentials(request, keyField: authenticators.keyField)
    }

    /// Whom the credentials prove, unless their address or they themselves have failed too often.
    func caller(
        showing credentials: CallerCredentials, from client: IPAddress?, _ limits: RequestLimits, at time: ServerTime
    ) throws(CallerRefusal) -> IdentifiedCaller {
        guard let authenticators else { return IdentifiedCaller(.anonymous, nil) }
        let principal = try authenticators.principal(showing: credentials, at: time.epochSeconds) {
            limits.excessiveFailures(of: client, at: time)
        }
        if let refusal = limits.excessiveFailures(of: principal, at: time) { throw refusal }
        return IdentifiedCaller(principal, policy)
    }
}

/// A caller whose proof was checked, and the rules that were in force then.
struct IdentifiedCaller: Sendable {
    let principal: Principal
    /// Nil where nobody is asked who they are.
    private let policy: AccessPolicy?

    fileprivate init(_ principal: Principal, _ policy: AccessPolicy?) {
        (self.principal, self.policy) = (principal, policy)
    }

    /// The permission for a token of these claims.
    func grant(_ claims: PrivateClaims) throws(CallerRefusal) -> Grant {
        guard let policy else { return try grantToStranger(claims) }
        switch policy.decide(principal, claims) {
        case .allowed(let rule): return Grant(claims, to: principal, by: rule)
        case .ask(let rule):
            throw CallerRefusal(.notAllowed, "the rule \(rule) asks the back end, which is not configured", principal)
        case .denied(let denials):
            throw CallerRefusal(.notAllowed, denials.map(\.sentence).joined(separator: "; "), principal)
        }
    }

    /// Nobody is asked who they are, so nobody gets what opens everything.
    private func grantToStranger(_ claims: PrivateClaims) throws(CallerRefusal) -> Grant {
        guard !claims.kind.isWildcard else {
            throw CallerRefusal(
                .callerRequired(claims.kind), "nobody is asked who they are, and the kind opens everything")
        }
        return Grant(claims, to: principal, by: nil)
    }
}

/// The permission to have one token. Nothing but an identified caller's request makes one, and no token is handed out
/// without.
struct Grant: Sendable {
    /// What the token may say.
    let claims: PrivateClaims
    /// Who may have it.
    let principal: Principal
    /// The rule that allows it; nil where nobody is asked who they are.
    let rule: String?

    fileprivate init(_ claims: PrivateClaims, to principal: Principal, by rule: String?) {
        (self.claims, self.principal, self.rule) = (claims, principal, rule)
    }
}
