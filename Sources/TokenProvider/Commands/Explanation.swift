import CallerAccess
import Dispatch
import FleetEngineToken
import HTTPServer
import Locking
import ServiceConfiguration
import StrictJSON
import TokenService

/// A decision and its reason.
struct Explanation {
    let isAllowed: Bool
    private let claims: PrivateClaims
    private let principal: Principal?
    private let rule: String?
    private let reason: String
    /// Seconds for which the back end lets the token serve at most; nil for as long as others.
    private var lifetime: Int64?
    /// Fields that the back end would have been shown by serve, if the request has them; nil where it was not asked.
    private var unsent: [String]?

    /// The decision of these tables about a token of a kind that is served, unless it is absent.
    init(
        _ claims: PrivateClaims, by credentials: CallerCredentials, showing shown: ShownFields? = nil,
        _ tables: CallerTables, _ absence: KindAbsence? = nil
    ) {
        self.claims = claims
        let shown = shown ?? ShownFields(beside: credentials)
        do throws(CallerRefusal) {
            let now = ServerTime.now()
            let caller = try tables.identify(credentials, from: nil, .none, at: now).caller(from: nil, .none, at: now)
            if let absence {
                try caller.mustBeKnown()
                (isAllowed, principal, rule) = (false, caller.principal, nil)
                reason = "the kind is off: \(absence.advice(on: claims.kind))"
                return
            }
            let permission = try caller.permission(claims, showing: shown.fields)
            if case .open = permission { unsent = shown.unsent }
            let grant = try Self.grant(permission)
            (isAllowed, principal, rule, lifetime) = (true, grant.principal, grant.rule, grant.bound?.seconds)
            reason = grant.rule.map { "the rule \($0) allows it" } ?? "nobody is asked who they are (callers: none)"
        } catch {
            (isAllowed, principal, rule, reason) = (false, error.principal, nil, error.reason)
        }
    }

    /// The permission that there is, or that a back end gives, which is waited for.
    private static func grant(_ permission: Permission) throws(CallerRefusal) -> Grant {
        switch permission {
        case .granted(let grant): return grant
        case .open(let request):
            let decision = Guarded<Result<TimedDecision, BackEndOutage>?>(nil)
            let decided = DispatchSemaphore(value: 0)
            request.forwardAuth.decide(request.question, as: RequestIdentity(number: 0)) { result in
                decision.withLock { $0 = result }
                decided.signal()
            }
            decided.wait()
            let outage = BackEndOutage("it was not asked", health: .unknown)
            return try request.grant(by: decision.withLock { $0 } ?? .failure(outage))
        }
    }

    /// For people.
    var text: String {
        let who = principal.map { "\(JSONText.compact(.string($0.name))) (\($0.source))" } ?? "nobody who is known"
        let unsent = unsent ?? []
        let without = unsent.isEmpty ? "" : "\nwithout: \(unsent.joined(separator: ", ")) (give them by --header)"
        let within = lifetime.map { "\nfor:     at most \($0) s" } ?? ""
        return """
            \(isAllowed ? "allowed" : "refused"): a token of the kind \(claims.kind.rawValue)
            caller:  \(who)
            because: \(reason)\(within)\(without)
            """
    }

    /// For programs.
    var json: String {
        var json = JSONWriter(escaping: .logLine, reserving: 512)
        json.object { json in
            json.key("allowed")
            json.value(.bool(isAllowed))
            if let principal {
                json.member("principal", principal.name)
                json.member("source", principal.source.description)
            }
            json.member("kind", claims.kind.rawValue)
            if let rule { json.member("rule", rule) }
            json.member("reason", reason)
            if let lifetime {
                json.key("lifetime")
                json.value(JSONValue.integer(lifetime))
            }
            guard let unsent else { return }
            json.key("unsent_fields")
            json.value(JSONValue.array(unsent.map(JSONValue.string)))
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
