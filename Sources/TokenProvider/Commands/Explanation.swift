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
    /// The conditions in the order of the decision.
    fileprivate let checks: [DecisionCheck]

    /// The gate's decision. `absence` says why the kind is not served, if it is not.
    init(
        _ claims: PrivateClaims, by credentials: CallerCredentials, showing shown: ShownFields? = nil,
        _ gate: CallerGate, _ absence: KindAbsence? = nil
    ) {
        let now = ServerTime.now()
        self.init(
            claims, showing: shown ?? ShownFields(beside: credentials), absence,
            gate.checks(of: credentials, at: now.epochSeconds), at: now
        ) { (now) throws(CallerRefusal) in
            try gate.identify(credentials, from: nil, .none, at: now).caller(.none, at: now)
        }
    }

    /// The decision about the caller that the closure identifies. `token` is what is known of the caller's token.
    init(
        _ claims: PrivateClaims, showing shown: ShownFields, _ absence: KindAbsence?,
        _ token: (checks: [DecisionCheck], claims: JSONObject) = ([], [:]), at now: ServerTime = .now(),
        identifying identify: (ServerTime) throws(CallerRefusal) -> IdentifiedCaller
    ) {
        self.claims = claims
        var (known, rules) = (Principal?.none, [DecisionCheck]())
        do throws(CallerRefusal) {
            let caller = try identify(now)
            known = caller.principal
            if let absence {
                try caller.requireAuthentication()
                (isAllowed, principal, rule) = (false, caller.principal, nil)
                reason = "the kind is off: \(absence.advice(on: claims.kind))"
                rules = [DecisionCheck("kind", false, reason)]
            } else {
                rules = caller.checks(claims, token.claims)
                let permission = try caller.permission(claims, showing: shown.fields)
                if case .askBackEnd = permission { unsent = shown.unsent }
                let grant = try Self.grant(permission)
                (isAllowed, principal, rule, lifetime) = (true, grant.principal, grant.rule, grant.bound?.seconds)
                reason =
                    grant.rule.map { "the rule \($0) allows it" } ?? "callers are not authenticated (callers: none)"
            }
        } catch {
            (isAllowed, principal, rule, reason) = (false, error.principal, nil, error.explanation())
        }
        if unsent != nil { rules.append(DecisionCheck("back end", isAllowed, reason)) }
        let credentials = known.map { caller in
            let isAnonymous = caller.source == .anonymous
            return DecisionCheck("credentials", isAnonymous ? nil : true, isAnonymous ? "none" : caller.shown)
        }
        let all =
            (token.checks.isEmpty ? [credentials ?? DecisionCheck("credentials", false, reason)] : token.checks) + rules
        let isExplained = isAllowed || all.contains { $0.isMet == false }
        checks = isExplained ? all : all + [DecisionCheck("decision", false, reason)]
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

    /// The decision for people.
    var decision: String {
        let who = principal?.shown ?? "not authenticated"
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
            json.member("checks", checks) { json, check in
                json.member("name", check.name)
                json.member("met", check.isMet.map(JSONValue.bool) ?? .null)
                json.member("detail", check.detail)
            }
        }
    }
}

extension Principal {
    fileprivate var shown: String { "\(JSONText.compact(.string(name))) (\(source))" }
}

extension Configuration {
    /// Why the kind is not served; nil if it is.
    func absence(ofUnserved kind: TokenKind) -> KindAbsence? { keyFile(of: kind) == nil ? absence(of: kind) : nil }
}

/// A decision and its conditions for people.
struct ExplanationText: StyledText {
    let isColoured: Bool

    /// The lines, without the last line's end.
    func text(_ explanation: Explanation) -> String {
        let width = explanation.checks.map(\.name.count).max() ?? 0
        let lines = explanation.checks.map { check in
            let name = check.name + String(repeating: " ", count: width - check.name.count)
            return "\(mark(check.isMet)) \(name)  \(check.detail)"
        }
        return "\(explanation.decision)\n\n\(lines.joined(separator: "\n"))"
    }
}
