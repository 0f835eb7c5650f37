import CallerAccess
import FleetEngineToken
import HTTPServer

/// Who is calling, and may they have this token: all that a decision depends on, made from one configuration, and the one
/// way to a `Grant`.
package final class CallerTables: Sendable {
    /// Nil where nobody is asked who they are.
    private let authenticators: Authenticators?
    fileprivate let policy: AccessPolicy
    /// Nil if no back end decides.
    fileprivate let forwardAuth: ForwardAuth?

    package init(authenticators: Authenticators?, policy: AccessPolicy, forwardAuth: ForwardAuth? = nil) {
        (self.authenticators, self.policy, self.forwardAuth) = (authenticators, policy, forwardAuth)
    }

    /// Whether nobody is asked who they are.
    package var isOpen: Bool { authenticators == nil }

    /// What a request shows to prove who is calling; nothing is looked for where nobody is asked.
    package func credentials(of request: borrowing HTTPRequest) -> CallerCredentials {
        guard let authenticators else { return .none }
        return CallerCredentials(request, keyField: authenticators.keyField)
    }

    /// What of a request a back end would be shown; nothing is looked for where none decides.
    package func shownFields(of request: borrowing HTTPRequest) -> [BackEndQuestion.Field] {
        forwardAuth.map { $0.shownFields(of: request) } ?? []
    }

    /// Whom the credentials prove as far as that is known, unless their address or they themselves have failed too often.
    package func identify(
        _ credentials: CallerCredentials, from client: IPAddress?, _ limits: RequestLimits, at time: ServerTime
    ) throws(CallerRefusal) -> CallerIdentity {
        guard let authenticators else { return .caller(IdentifiedCaller(.anonymous, nil)) }
        let proof: KnownProof
        do throws(CallerRefusal) {
            proof = try authenticators.proof(by: credentials, at: time.epochSeconds) {
                limits.excessiveFailures(of: client, at: time)
            }
        } catch {
            return .caller(try stranger(error))
        }
        switch proof {
        case .principal(let principal): return .caller(try admit(principal, limits, at: time))
        case .unverified(let token): return .unverified(UnverifiedCaller(token, authenticators, self))
        }
    }

    fileprivate func admit(
        _ principal: Principal, _ limits: RequestLimits, at time: ServerTime
    ) throws(CallerRefusal) -> IdentifiedCaller {
        if let refusal = limits.excessiveFailures(of: principal, at: time) { throw refusal }
        return IdentifiedCaller(principal, self)
    }

    /// Who proves nothing is somebody whom only a back end may know, where one decides and what they show is not disproved.
    fileprivate func stranger(_ disproof: CallerRefusal) throws(CallerRefusal) -> IdentifiedCaller {
        guard forwardAuth != nil, disproof.leavesOpen else { throw disproof }
        return IdentifiedCaller(.anonymous, self, disproof: disproof)
    }
}

/// Who is calling, as far as that is known.
package enum CallerIdentity: Sendable {
    /// A caller whose proof was checked.
    case caller(IdentifiedCaller)
    /// Somebody whose token has yet to be verified.
    case unverified(UnverifiedCaller)

    /// The caller, verified now if need be.
    package func caller(
        from client: IPAddress?, _ limits: RequestLimits, at time: ServerTime
    ) throws(CallerRefusal) -> IdentifiedCaller {
        switch self {
        case .caller(let caller): return caller
        case .unverified(let caller): return try caller.verified(from: client, limits, at: time)
        }
    }
}

/// A caller with a token that was not verified before, which takes longer than all else about a request.
package struct UnverifiedCaller: Sendable {
    private let token: BearerToken
    private let authenticators: Authenticators
    private let tables: CallerTables

    fileprivate init(_ token: BearerToken, _ authenticators: Authenticators, _ tables: CallerTables) {
        (self.token, self.authenticators, self.tables) = (token, authenticators, tables)
    }

    /// Whom the token proves, unless its address has failed too often since the request came.
    func verified(
        from client: IPAddress?, _ limits: RequestLimits, at time: ServerTime
    ) throws(CallerRefusal) -> IdentifiedCaller {
        let principal: Principal
        do throws(CallerRefusal) {
            if let refusal = limits.excessiveFailures(of: client, at: time) { throw refusal }
            principal = try authenticators.principal(verifying: token, at: time.epochSeconds)
        } catch {
            return try tables.stranger(error)
        }
        return try tables.admit(principal, limits, at: time)
    }
}

/// A caller whose proof was checked, or whom only a back end may know, and the rules that were in force then.
package struct IdentifiedCaller: Sendable {
    package let principal: Principal
    /// Nil where nobody is asked who they are.
    private let tables: CallerTables?
    /// Why the caller proved nothing here; nil for one who did.
    private let disproof: CallerRefusal?

    fileprivate init(_ principal: Principal, _ tables: CallerTables?, disproof: CallerRefusal? = nil) {
        (self.principal, self.tables, self.disproof) = (principal, tables, disproof)
    }

    /// Throws unless the caller proved who they are: nobody else is told what is wrong with a request.
    package func mustBeKnown() throws(CallerRefusal) {
        if let disproof { throw disproof }
    }

    /// The permission for a token of these claims; a back end that has to give it is shown the fields.
    package func permission(
        _ claims: PrivateClaims, showing fields: [BackEndQuestion.Field]
    ) throws(CallerRefusal) -> Permission {
        guard let tables else { return .granted(try grantToStranger(claims)) }
        switch tables.policy.decide(principal, claims) {
        case .allowed(let rule): return .granted(Grant(claims, to: principal, by: rule))
        case .ask(let rule): return .open(try request(claims, by: rule, tables.forwardAuth, showing: fields))
        case .denied(let denials):
            throw disproof ?? refusal(.notAllowed, denials.sentences(), detail: .rules(denials))
        }
    }

    private func request(
        _ claims: PrivateClaims, by rule: String, _ forwardAuth: ForwardAuth?, showing fields: [BackEndQuestion.Field]
    ) throws(CallerRefusal) -> GrantRequest {
        guard let forwardAuth else {
            throw refusal(.notAllowed, "the rule \(rule) asks a back end, and none is configured")
        }
        if let field = fields.first(where: { $0.text == nil }) {
            throw refusal(.invalidCredentials, "the field \(field.name) is not UTF-8 and cannot be passed on")
        }
        return GrantRequest(claims, for: principal, by: rule, forwardAuth, showing: fields)
    }

    private func refusal(
        _ problem: CallerProblem, _ reason: String, detail: CallerRefusal.Detail? = nil
    ) -> CallerRefusal {
        CallerRefusal(problem, reason, disproof == nil ? principal : nil, detail: detail)
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

/// What the rules say of a caller and a token.
package enum Permission: Sendable {
    /// They allow it.
    case granted(Grant)
    /// The company's back end has to say.
    case open(GrantRequest)
}

/// What is asked of the company's back end, and what becomes of its decision.
package final class GrantRequest: Sendable {
    package let question: BackEndQuestion
    /// Whom to ask.
    package let forwardAuth: ForwardAuth
    /// Who is asked about; anonymous if they proved nothing here.
    let principal: Principal
    private let claims: PrivateClaims
    private let rule: String
    /// Whether the request shows nothing that a challenge asks for (RFC 6750 section 3.1).
    private var showsNothing: Bool {
        !question.fields.contains {
            $0.name == "authorization" && CallerCredentials(authorization: $0.value.span) != .foreign
        }
    }

    fileprivate init(
        _ claims: PrivateClaims, for principal: Principal, by rule: String, _ forwardAuth: ForwardAuth,
        showing fields: [BackEndQuestion.Field]
    ) {
        question = BackEndQuestion(about: principal, wanting: claims, showing: fields)
        (self.forwardAuth, self.principal, self.claims, self.rule) = (forwardAuth, principal, claims, rule)
    }

    /// Whether the caller proved who they are by other means.
    var isProved: Bool { principal.source != .anonymous }

    /// The permission that the decision is. A back end's name for a caller counts only where no other is proved.
    package func grant(by result: Result<TimedDecision, BackEndOutage>) throws(CallerRefusal) -> Grant {
        let timed: TimedDecision
        do throws(BackEndOutage) {
            timed = try result.get()
        } catch {
            throw refusal(
                .checkUnavailable, "the rule \(rule) asks a back end that decided nothing: \(error.sentence)")
        }
        switch timed.decision {
        case .allowed(let name, _):
            // What opens everything is for somebody, whoever allows it.
            guard isProved || name?.isEmpty == false || !claims.kind.isWildcard else {
                throw refusal(
                    .callerRequired(claims.kind),
                    "the back end that the rule \(rule) asks names nobody, and the kind opens everything")
            }
            let named = Principal(name: name ?? "", source: .forwardAuth, claims: nil, expiresAt: nil)
            return Grant(claims, to: isProved ? principal : named, by: rule, within: timed.bound)
        case .unauthenticated:
            throw refusal(
                showsNothing ? .unauthenticated : .invalidCredentials,
                "the back end that the rule \(rule) asks knows no such caller (401)")
        case .denied:
            throw refusal(
                showsNothing ? .strangerNotAllowed : .notAllowed,
                "the back end that the rule \(rule) asks does not allow it (403)")
        }
    }

    private func refusal(_ problem: CallerProblem, _ reason: String) -> CallerRefusal {
        CallerRefusal(problem, reason, isProved ? principal : nil)
    }
}

/// The permission to have one token. Nothing but an identified caller's request makes one, and no token is handed out
/// without.
package struct Grant: Sendable {
    /// What the token may say.
    package let claims: PrivateClaims
    /// Who may have it.
    package let principal: Principal
    /// The rule that allows it; nil where nobody is asked who they are.
    package let rule: String?
    /// How long the token may serve at most; nil for as long as others.
    package let bound: TokenBound?

    fileprivate init(
        _ claims: PrivateClaims, to principal: Principal, by rule: String?, within bound: TokenBound? = nil
    ) {
        (self.claims, self.principal, self.rule, self.bound) = (claims, principal, rule, bound)
    }
}
