import CallerAccess
import Concurrency
import FleetEngineToken
import HTTPServer
import ServiceConfiguration
import StrictJSON
import TokenService

/// Whether a caller would get a token, and why.
struct Explanation {
    let isAllowed: Bool
    private let claims: PrivateClaims
    private let principal: Principal?
    private let rule: String?
    private let reason: String
    /// The lifetime in seconds to which the back end limits the token; nil if it does not.
    private var lifetime: Int64?
    /// Headers that serve would send to the back end if a request had them; nil if the back end was not asked.
    private var unsent: [String]?

    /// The gate's decision. `absence` says why the kind is not served, if it is not.
    init(
        _ claims: PrivateClaims, by credentials: CallerCredentials, showing shown: ShownFields? = nil,
        _ gate: CallerGate, _ absence: KindAbsence? = nil
    ) {
        self.init(claims, showing: shown ?? ShownFields(beside: credentials), absence) {
            (now) throws(CallerRefusal) in
            try gate.identify(credentials, from: nil, .none, at: now).caller(.none, at: now)
        }
    }

    /// The decision about the caller that the closure identifies.
    init(
        _ claims: PrivateClaims, showing shown: ShownFields, _ absence: KindAbsence?,
        identifying identify: (ServerTime) throws(CallerRefusal) -> IdentifiedCaller
    ) {
        self.claims = claims
        do throws(CallerRefusal) {
            let caller = try identify(.now())
            if let absence {
                try caller.requireAuthentication()
                (isAllowed, principal, rule) = (false, caller.principal, nil)
                reason = "the kind is off: \(absence.advice(on: claims.kind))"
                return
            }
            let permission = try caller.permission(claims, showing: shown.fields)
            if case .askBackEnd = permission { unsent = shown.unsent }
            let grant = try Self.grant(permission)
            (isAllowed, principal, rule, lifetime) = (true, grant.principal, grant.rule, grant.bound?.seconds)
            reason = grant.rule.map { "the rule \($0) allows it" } ?? "callers are not authenticated (callers: none)"
        } catch {
            (isAllowed, principal, rule, reason) = (false, error.principal, nil, error.explanation())
        }
    }

    /// The grant of the rules, or that of the back end, for which this waits.
    private static func grant(_ permission: Permission) throws(CallerRefusal) -> Grant {
        switch permission {
        case .granted(let grant): return grant
        case .askBackEnd(let request):
            let decision = Awaited<Result<TimedDecision, BackEndOutage>> { completion in
                request.forwardAuth.decide(
                    request.question, for: nil, as: RequestIdentity(number: 0), completion)
            }
            let outage = BackEndOutage("it was not asked", health: .unknown)
            return try request.pending.grant(by: decision.value() ?? .failure(outage))
        }
    }

    /// For people.
    var text: String {
        let who = principal.map { "\(JSONText.compact(.string($0.name))) (\($0.source))" } ?? "not authenticated"
        let unsent = unsent ?? []
        let without = unsent.isEmpty ? "" : "\nwithout: \(unsent.joined(separator: ", ")) (give them by --header)"
        let limit = lifetime.map { "\nfor:     at most \($0) s" } ?? ""
        return """
            \(isAllowed ? "allowed" : "refused"): a token of the kind \(claims.kind.rawValue)
            caller:  \(who)
            because: \(reason)\(limit)\(without)
            """
    }

    /// For programs.
    var json: String {
        JSONText.object { json in
            json.member("allowed", isAllowed)
            if let principal {
                json.member("principal", principal.name)
                json.member("source", principal.source.description)
            }
            json.member("kind", claims.kind.rawValue)
            if let rule { json.member("rule", rule) }
            json.member("reason", reason)
            if let lifetime { json.member("lifetime", lifetime) }
            if let unsent { json.member("unsent_headers", unsent) }
        }
    }
}

extension Configuration {
    /// Why the kind is not served; nil if it is.
    func absence(ofUnserved kind: TokenKind) -> KindAbsence? { keyFile(of: kind) == nil ? absence(of: kind) : nil }
}
