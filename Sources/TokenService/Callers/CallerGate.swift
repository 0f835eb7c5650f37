import CallerAccess
import FleetEngineToken
import HTTPServer
import StrictJSON

/// Decides who is calling and whether they may have a token, by one configuration. It is the only way to a `Grant`.
package final class CallerGate: Sendable {
    /// Nil if callers are not authenticated (`callers: none`).
    private let authenticators: Authenticators?
    /// The caller of every request then, made once.
    private let anyone = IdentifiedCaller(.anonymous, nil)
    fileprivate let policy: AccessPolicy
    /// Nil if no back end is configured.
    fileprivate let forwardAuth: ForwardAuth?

    package init(authenticators: Authenticators?, policy: AccessPolicy, forwardAuth: ForwardAuth? = nil) {
        (self.authenticators, self.policy, self.forwardAuth) = (authenticators, policy, forwardAuth)
    }

    /// Whether callers are not authenticated.
    package var isOpen: Bool { authenticators == nil }

    /// The credentials of a request; none if callers are not authenticated.
    package func credentials(of request: borrowing HTTPRequest) -> CallerCredentials {
        guard let authenticators else { return .none }
        return CallerCredentials(request, in: authenticators.fields)
    }

    /// Whether these credentials may be those of a caller that is known, here or to the back end.
    func mayKnow(_ credentials: CallerCredentials) -> Bool {
        switch credentials {
        case .token, .apiKey, .certificate: true
        case .none, .foreign, .unusable: forwardAuth != nil
        }
    }

    /// The headers for the back end; empty if none is configured.
    package func shownFields(
        of request: borrowing HTTPRequest, from client: IPAddress?, _ clients: ClientAddresses
    ) -> [BackEndQuestion.Field] {
        guard let endpoint = forwardAuth?.endpoint else { return [] }
        return endpoint.shownFields(of: request, from: client, behindProxy: clients.isProxy(peerOf: request))
    }

    /// Identifies the caller, or throws why it is not authenticated, or that it has failed too often. A token that was not
    /// verified before is left to be verified.
    package func identify(
        _ credentials: CallerCredentials, from client: IPAddress?, _ limits: RequestLimits, at time: ServerTime
    ) throws(CallerRefusal) -> CallerIdentity {
        guard let authenticators else { return .caller(anyone) }
        let authentication: Authentication
        do throws(CallerRefusal) {
            authentication = try authenticators.authentication(by: credentials, at: time.epochSeconds) {
                limits.excessiveFailures(of: client, at: time)
            }
        } catch {
            return .caller(try unauthenticated(error))
        }
        switch authentication {
        case .principal(let principal): return .caller(try admit(principal, limits, at: time))
        case .unverified(let token): return .unverified(UnverifiedCaller(token, authenticators, self))
        }
    }

    /// Each condition of a token, and its claims, for explanations; empty for other credentials.
    package func checks(
        of credentials: CallerCredentials, at now: Int64
    ) -> (checks: [DecisionCheck], claims: JSONObject) {
        authenticators?.checks(of: credentials, at: now) ?? ([], [:])
    }

    /// A caller that is known without credentials, for explanations.
    package func caller(known principal: Principal) -> IdentifiedCaller {
        isOpen ? anyone : IdentifiedCaller(principal, self)
    }

    fileprivate func admit(
        _ principal: Principal, _ limits: RequestLimits, at time: ServerTime
    ) throws(CallerRefusal) -> IdentifiedCaller {
        if let refusal = limits.excessiveFailures(of: principal, at: time) { throw refusal }
        return IdentifiedCaller(principal, self)
    }

    /// An unauthenticated caller may still be accepted by the back end, unless its credentials failed verification.
    fileprivate func unauthenticated(_ refusal: CallerRefusal) throws(CallerRefusal) -> IdentifiedCaller {
        guard forwardAuth != nil, refusal.isUndecided else { throw refusal }
        return IdentifiedCaller(.anonymous, self, unauthenticated: refusal)
    }
}

/// A caller, or a token that must be verified first.
package enum CallerIdentity: Sendable {
    case caller(IdentifiedCaller)
    case unverified(UnverifiedCaller)

    /// The caller; a token is verified now.
    package func caller(_ limits: RequestLimits, at time: ServerTime) throws(CallerRefusal) -> IdentifiedCaller {
        switch self {
        case .caller(let caller): return caller
        case .unverified(let caller): return try caller.verified(limits, at: time)
        }
    }
}

/// A caller whose token was not verified before. Verifying it takes longer than the rest of a request.
package struct UnverifiedCaller: Sendable {
    private let token: BearerToken
    private let authenticators: Authenticators
    private let gate: CallerGate

    fileprivate init(_ token: BearerToken, _ authenticators: Authenticators, _ gate: CallerGate) {
        (self.token, self.authenticators, self.gate) = (token, authenticators, gate)
    }

    /// The caller that the token authenticates; it is verified now, on any thread.
    func verified(_ limits: RequestLimits, at time: ServerTime) throws(CallerRefusal) -> IdentifiedCaller {
        let principal: Principal
        do { principal = try authenticators.principal(verifying: token, at: time.epochSeconds) } catch {
            return try gate.unauthenticated(error)
        }
        return try gate.admit(principal, limits, at: time)
    }
}

/// An authenticated caller, or one that only the back end may know, and the rules at that time.
package struct IdentifiedCaller: Sendable {
    package let principal: Principal
    /// Nil if callers are not authenticated.
    private let gate: CallerGate?
    /// Why the caller is not authenticated; nil if it is.
    private let refusal: CallerRefusal?

    fileprivate init(_ principal: Principal, _ gate: CallerGate?, unauthenticated refusal: CallerRefusal? = nil) {
        (self.principal, self.gate, self.refusal) = (principal, gate, refusal)
    }

    /// Throws for an unauthenticated caller, who must not learn what is wrong with a request.
    package func requireAuthentication() throws(CallerRefusal) {
        if let refusal { throw refusal }
    }

    /// Each rule for such a token, with what it misses in the caller whose token has these claims; empty if callers are not
    /// authenticated.
    package func checks(_ wanted: PrivateClaims, _ claims: JSONObject) -> [DecisionCheck] {
        gate?.policy.checks(principal, wanted, claims) ?? []
    }

    /// The permission for a token of these claims. A back end that has to decide gets the headers.
    package func permission(
        _ claims: PrivateClaims, showing fields: [BackEndQuestion.Field]
    ) throws(CallerRefusal) -> Permission {
        guard let gate else { return .granted(try grantWithoutAuthentication(claims)) }
        switch gate.policy.decide(principal, claims) {
        case .allowed(let rule): return .granted(Grant(claims, to: principal, by: rule))
        case .ask(let rule): return .askBackEnd(try request(claims, by: rule, gate.forwardAuth, showing: fields))
        case .denied(let denials):
            throw refusal ?? refuse(.notAllowed, denials.sentences(), detail: .rules(denials))
        }
    }

    private func request(
        _ claims: PrivateClaims, by rule: String, _ forwardAuth: ForwardAuth?, showing fields: [BackEndQuestion.Field]
    ) throws(CallerRefusal) -> GrantRequest {
        guard let forwardAuth else {
            throw refuse(.notAllowed, "the rule \(rule) asks a back end, but forward_auth.url is not configured")
        }
        var fields = fields
        if let user = forwardAuth.endpoint.userField(principal) { fields.append(user) }
        if let field = fields.first(where: { $0.text == nil }) {
            throw refuse(
                .invalidCredentials,
                "the header \(field.name) cannot be forwarded; expected UTF-8 without control characters and outer blanks"
            )
        }
        return GrantRequest(claims, for: principal, by: rule, forwardAuth, showing: fields)
    }

    private func refuse(
        _ problem: CallerProblem, _ reason: String, detail: CallerRefusal.Detail? = nil
    ) -> CallerRefusal {
        CallerRefusal(problem, reason, refusal == nil ? principal : nil, detail: detail)
    }

    /// Callers are not authenticated, so none gets a token for the whole fleet.
    private func grantWithoutAuthentication(_ claims: PrivateClaims) throws(CallerRefusal) -> Grant {
        guard !claims.kind.isWildcard else {
            throw CallerRefusal(
                .callerRequired(claims.kind),
                "callers are not authenticated, and tokens of the kind open the whole fleet")
        }
        return Grant(claims, to: principal, by: nil)
    }
}

/// The rules' decision about a caller and a token.
package enum Permission: Sendable {
    /// A rule allows it.
    case granted(Grant)
    /// The company's back end decides.
    case askBackEnd(GrantRequest)
}

/// A question for the company's back end, and the permission that its decision gives.
package final class GrantRequest: Sendable {
    package let question: BackEndQuestion
    package let forwardAuth: ForwardAuth
    package let pending: PendingGrant

    fileprivate init(
        _ claims: PrivateClaims, for principal: Principal, by rule: String, _ forwardAuth: ForwardAuth,
        showing fields: [BackEndQuestion.Field]
    ) {
        // Only this daemon can judge an API key, and the question has its name.
        let hasKey = principal.authentication == .apiKey
        let shown = hasKey ? fields.filter { $0.name != "authorization" } : fields
        question = BackEndQuestion(about: principal, wanting: claims, showing: shown)
        self.forwardAuth = forwardAuth
        let lacksCredentials = !fields.contains {
            $0.name == "authorization" && CallerCredentials(authorization: $0.value.span) != .foreign
        }
        pending = PendingGrant(principal: principal, claims: claims, rule: rule, lacksCredentials: lacksCredentials)
    }
}

/// What is left of a question for the back end while many may wait for its decision.
package struct PendingGrant: Sendable {
    /// The caller; anonymous if not authenticated here.
    let principal: Principal
    fileprivate let claims: PrivateClaims
    fileprivate let rule: String
    /// Whether the request lacks the credentials that a challenge asks for (RFC 6750 section 3.1).
    fileprivate let lacksCredentials: Bool

    /// Whether the caller was authenticated without the back end.
    var isAuthenticated: Bool { principal.source != .anonymous }

    /// The permission that the decision gives. The back end's name for the caller is used only if the caller was not
    /// authenticated here.
    package func grant(by result: Result<TimedDecision, BackEndOutage>) throws(CallerRefusal) -> Grant {
        let timed: TimedDecision
        do { timed = try result.get() } catch {
            throw refusal(
                .checkUnavailable, "the back end of the rule \(rule) gave no decision: \(error.sentence)")
        }
        switch timed.decision {
        case .allowed(let name, _):
            // A token for the whole fleet needs a named caller.
            guard isAuthenticated || name?.isEmpty == false || !claims.kind.isWildcard else {
                throw refusal(
                    .callerRequired(claims.kind),
                    "the back end of the rule \(rule) names no caller, and tokens of the kind open the whole fleet")
            }
            let named = Principal(name: name ?? "", source: .forwardAuth, claims: nil, expiresAt: nil)
            return Grant(claims, to: isAuthenticated ? principal : named, by: rule, within: timed.bound)
        case .unauthenticated:
            throw refusal(
                lacksCredentials ? .unauthenticated : .invalidCredentials,
                "the back end of the rule \(rule) does not know the caller (401)")
        case .denied, .undefined:
            let reason =
                timed.decision == .denied
                ? "the back end of the rule \(rule) refused the token (403)"
                : "the policy of the rule \(rule) has no result; expected the URL of a policy with a default"
            throw refusal(lacksCredentials ? .notAllowedWithoutCredentials : .notAllowed, reason)
        }
    }

    private func refusal(_ problem: CallerProblem, _ reason: String) -> CallerRefusal {
        CallerRefusal(problem, reason, isAuthenticated ? principal : nil)
    }
}

/// The permission to have one token. Only an identified caller's request can make one, and no token is handed out without
/// one.
package struct Grant: Sendable {
    /// The claims of the token.
    package let claims: PrivateClaims
    package let principal: Principal
    /// The rule that allows it; nil if callers are not authenticated.
    package let rule: String?
    /// The bound on the token's lifetime; nil for the configured one.
    package let bound: TokenBound?

    fileprivate init(
        _ claims: PrivateClaims, to principal: Principal, by rule: String?, within bound: TokenBound? = nil
    ) {
        (self.claims, self.principal, self.rule, self.bound) = (claims, principal, rule, bound)
    }
}
