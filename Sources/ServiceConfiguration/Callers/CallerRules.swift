import CallerAccess
import FleetEngineToken

extension ConfigurationRule {
    /// Without these nobody could say who may have a token.
    static let callerRules =
        [eitherCallers, distinctIssuers, distinctRules, knownIssuers, knownNames, keyField] + forwardAuthRules

    /// What of the rules could not be meant, but does no harm.
    static let callerAdvice = [ruleless, idleRules, idleBackEnd, unservedRules, unrecorded]

    static let someCallers = ConfigurationRule(keys: authenticatorKeys) { values in
        guard values.callers == nil, !values.authenticates else { return nil }
        return
            "nothing says who may call, and token-provider refuses to start without it; expected issuers, "
            + "api_keys.file, tls.client_ca_file or forward_auth.url with rules, or --callers none (in the file, callers: none), which gives "
            + "a token to everyone who can reach it"
    }

    private static let authenticatorKeys = [
        "callers", "issuers", "api_keys.file", "tls.client_ca_file", "forward_auth.url",
    ]

    private static let eitherCallers = ConfigurationRule(keys: authenticatorKeys) { values in
        guard values.callers == .unauthenticated, values.authenticates else { return nil }
        return
            "none says that nobody is asked who they are, but issuers, api_keys.file, tls.client_ca_file or "
            + "forward_auth.url are there too; expected one or the other"
    }

    private static let distinctIssuers = ConfigurationRule(keys: ["issuers"]) { values in
        let names = values.issuers.map(\.policy.issuer)
        return repeated(names).map { "the issuer \"\($0)\" is there twice; expected each once" }
    }

    private static let distinctRules = ConfigurationRule(keys: ["rules"]) { values in
        repeated(values.rules.map(\.name)).map { "two rules have the name \($0); expected each name once" }
    }

    private static let knownIssuers = ConfigurationRule(keys: ["rules", "issuers"]) { values in
        let known = values.issuers.map { Principal.Source.jwt(issuer: $0.policy.issuer) }
        for rule in values.rules {
            for case .jwt(let issuer) in rule.callers where !known.contains(.jwt(issuer: issuer)) {
                return "the rule \(rule.name) is for the issuer \"\(issuer)\", which is none of issuers"
            }
        }
        return nil
    }

    private static let knownNames = ConfigurationRule(
        keys: ["rules", "tls.client_ca_file", "tls.client_names"]
    ) { values in
        for rule in values.rules {
            for case .certificate(let name) in rule.callers {
                guard values.tls.clientCAFile != nil else {
                    return
                        "the rule \(rule.name) is for a certificate, and nobody verifies those; expected tls.client_ca_file"
                }
                guard values.tls.clientNames.contains(name.kind) else {
                    return "the rule \(rule.name) is for a certificate's \(name.kind.rawValue), which is none of "
                        + "tls.client_names"
                }
            }
        }
        return nil
    }

    private static let keyField = ConfigurationRule(keys: ["api_keys.field"]) { values in
        guard let field = values.apiKeys.field?.lowercased() else { return nil }
        guard field != "authorization" else {
            return "Authorization is read anyway; expected the name of another field, or none"
        }
        guard keyless.contains(field) || field.hasPrefix("sec-") else { return nil }
        return
            "\(field) means something else in requests and cannot carry a key; expected a field of its own, as X-API-Key"
    }

    /// Fields by which clients, proxies or this daemon say something else of a request.
    private static let keyless: Set<String> = [
        "accept", "accept-encoding", "access-control-request-headers", "access-control-request-method", "connection",
        "content-encoding", "content-length", "content-type", "cookie", "date", "expect", "forwarded", "host",
        "http2-settings", "keep-alive", "origin", "proxy-authorization", "proxy-connection", "range", "referer", "te",
        "traceparent", "tracestate", "trailer", "transfer-encoding", "upgrade", "user-agent", "via", "x-forwarded-for",
        "x-request-id",
    ]

    private static let ruleless = ConfigurationRule(keys: ["rules"] + authenticatorKeys.dropFirst()) { values in
        guard values.authenticates, values.rules.isEmpty else { return nil }
        return "there are no rules, so nobody gets a token"
    }

    private static let idleRules = ConfigurationRule(keys: ["rules"]) { values in
        guard values.callers == .unauthenticated, !values.rules.isEmpty else { return nil }
        return "the rules decide nothing, since nobody is asked who they are"
    }

    private static let unservedRules = ConfigurationRule(keys: ["rules"]) { values in
        for rule in values.rules {
            let unserved = TokenKind.allCases.first { rule.kinds.contains($0) && values.keyFile(of: $0) == nil }
            if let unserved { return "the rule \(rule.name) names the kind \(unserved.rawValue), which is not served" }
        }
        return nil
    }

    private static let unrecorded = ConfigurationRule(
        keys: ["audit.output"] + authenticatorKeys.dropFirst(), namesKeys: true
    ) { values in
        guard values.authenticates, values.audit.output == .none else { return nil }
        return "no record is kept of who gets tokens; audit.output names where"
    }

    private static func repeated(_ names: [String]) -> String? {
        var seen: Set<String> = []
        return names.first { !seen.insert($0).inserted }
    }
}
