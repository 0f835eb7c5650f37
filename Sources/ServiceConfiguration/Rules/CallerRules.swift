import CallerAccess
import FleetEngineToken
import HTTPClient
import StrictYAML

extension ConfigurationRule {
    /// The binding rules about callers and what they may have.
    static let callerRules =
        [
            eitherCallers, distinctIssuers, distinctRules, knownIssuers, verifiedCertificates, storedKeys, servedRules,
            knownClaims, knownCallers, keyHeader, tokenHeaders,
        ] + forwardAuthRules

    /// Settings that are unlikely to be meant, but harmless.
    static let callerAdvice = [plainKeys, ruleless, idleRules, idleBackEnd, unservedKinds, unrecorded]

    static let someCallers = ConfigurationRule(keys: authenticatorKeys) { values in
        guard values.callers == nil, !values.authenticates else { return nil }
        return
            "nothing says who may call: token-provider does not start without that; expected issuers, "
            + "api_keys.file, tls.client_ca_file or forward_auth.url, with rules, or --callers none (in the file, "
            + "callers: none), which gives a token to every client that can reach it"
    }

    private static let authenticatorKeys = [
        "callers", "issuers", "api_keys.file", "tls.client_ca_file", "forward_auth.url",
    ]

    private static let eitherCallers = ConfigurationRule(keys: authenticatorKeys) { values in
        guard values.callers == .unauthenticated, values.authenticates else { return nil }
        return
            "none means that callers are not authenticated, but issuers, api_keys.file, tls.client_ca_file or "
            + "forward_auth.url authenticates them; expected one or the other"
    }

    private static let distinctIssuers = ConfigurationRule(elements: ["issuers"]) { values in
        repeated("issuer", in: "issuers", values) { issuer, place in
            "the issuer \(issuer) is repeated\(place); expected each issuer once"
        }
    }

    private static let plainKeys = ConfigurationRule(elements: ["issuers"]) { values in
        values.issuers.enumerated().compactMap { index, issuer in
            guard let url = issuer.keysURL, (try? OutgoingURL(url.text)) == nil else { return nil }
            return ConfigurationBreach(
                what:
                    "the keys of \(issuer.policy.issuer) come from \(url.endpoint) over plain http: anyone on the way can "
                    + "replace them and let callers in; expected https",
                element: values.places.element("issuers", index, "keys"))
        }
    }

    private static let distinctRules = ConfigurationRule(elements: ["rules"]) { values in
        repeated("name", in: "rules", values) { name, place in
            "the rule name \(name) is repeated\(place); expected a different name for each rule"
        }
    }

    private static let knownIssuers = ConfigurationRule(elements: ["rules", "issuers"]) { values in
        let configured: [String?] = values.issuers.map(\.policy.issuer)
        let domains = values.places.texts(of: "spiffe_trust_domain", in: "issuers") ?? []
        let given = values.places.texts(of: "issuer", in: "issuers")?.enumerated().map { index, name in
            name ?? domains[index].map(SPIFFEID.own)
        }
        let names = given ?? configured
        // What an issuer without a name should have been called is unknown.
        guard !names.contains(nil) else { return [] }
        let known = names.compactMap(\.self)
        return breaches(values, "issuers") { rule, caller in
            guard case .jwt(let issuer, _) = caller, !known.contains(issuer) else { return nil }
            let advice = EditDistance.question(about: issuer, in: known) ?? "expected \(list(known))"
            return "the rule \(rule.name) names the issuer \(quoted(issuer)), which is not in issuers; \(advice)"
        }
    }

    private static let verifiedCertificates = ConfigurationRule(
        elements: ["rules", "tls.client_ca_file", "tls.client_certificates", "listeners", "tls.client_names"]
    ) { values in
        breaches(values, "certificates") { rule, caller in
            guard case .certificate(let name) = caller else { return nil }
            guard values.tls.clientCAFile != nil else {
                return "the rule \(rule.name) names a certificate, but no client certificate can be verified; expected "
                    + "tls.client_ca_file"
            }
            guard values.mayAskForCertificates else {
                return "the rule \(rule.name) names a certificate, but no listener asks clients for one; expected "
                    + "tls.client_certificates"
            }
            guard !values.tls.clientNames.contains(name.kind) else { return nil }
            return
                "the rule \(rule.name) names a certificate by its \(name.kind.rawValue), which tls.client_names does not "
                + "list; expected one of \(values.tls.clientNames.map(\.rawValue).joined(separator: ", "))"
        }
    }

    private static let storedKeys = ConfigurationRule(elements: ["rules", "api_keys.file"]) { values in
        guard values.apiKeys.file == nil else { return [] }
        return breaches(values, "api_keys") { rule, caller in
            guard case .apiKey = caller else { return nil }
            return "the rule \(rule.name) names API keys, but no file of API keys is configured; expected api_keys.file"
        }
    }

    /// Only tokens of issuers have claims.
    private static let knownClaims = ConfigurationRule(elements: ["rules", "issuers"]) { values in
        guard values.authenticates, !values.hasIssuers else { return [] }
        return values.rules.enumerated().compactMap { index, rule in
            guard rule.callers.isEmpty, !rule.claimNames.isEmpty else { return nil }
            return ConfigurationBreach(
                what: "the rule \(rule.name) needs claims, but only tokens of issuers have claims; expected issuers",
                element: values.places.element("rules", index))
        }
    }

    /// A caller whom only the back end knows has no rule but those that ask it.
    private static let knownCallers = ConfigurationRule(
        elements: ["rules", "issuers", "api_keys.file", "tls.client_ca_file", "forward_auth.url"]
    ) { values in
        let isOnlyBackEnd = values.apiKeys.file == nil && values.tls.clientCAFile == nil && !values.hasIssuers
        guard values.forwardAuth.url != nil, isOnlyBackEnd else { return [] }
        return values.rules.enumerated().compactMap { index, rule in
            guard rule.callers.isEmpty, rule.claimNames.isEmpty, !rule.asksBackEnd else { return nil }
            return ConfigurationBreach(
                what: "the rule \(rule.name) is for authenticated callers, but only forward_auth authenticates any; "
                    + "expected forward_auth: true, or issuers, api_keys.file or tls.client_ca_file",
                element: values.places.element("rules", index))
        }
    }

    private static let keyHeader = ConfigurationRule(keys: ["api_keys.header"]) { values in
        guard let header = values.apiKeys.header?.lowercased() else { return nil }
        guard header != "authorization" else {
            return "Authorization is always read; expected another header, or no api_keys.header"
        }
        guard hasMeaning(header) else { return nil }
        return "\(header) has another meaning and cannot carry a key; expected a header of its own, such as X-API-Key"
    }

    private static let tokenHeaders = ConfigurationRule(elements: ["issuers", "api_keys.header"]) { values in
        values.issuers.enumerated().compactMap { index, issuer in
            guard let header = issuer.policy.header,
                hasMeaning(header) || header == "authorization" || header == values.apiKeys.header?.lowercased()
            else { return nil }
            return ConfigurationBreach(
                what:
                    "\(header) has another meaning and cannot carry a token alone; expected a header of its own, such as "
                    + "X-Goog-IAP-JWT-Assertion", element: values.places.element("issuers", index, "header"))
        }
    }

    private static func hasMeaning(_ header: String) -> Bool {
        headersWithMeaning.contains(header) || header.hasPrefix("sec-")
    }

    /// Headers by which clients, proxies or this daemon say something else about a request.
    private static let headersWithMeaning: Set<String> = [
        "accept", "accept-encoding", "access-control-request-headers", "access-control-request-method", "connection",
        "content-encoding", "content-length", "content-type", "cookie", "date", "expect", "forwarded", "host",
        "http2-settings", "keep-alive", "origin", "proxy-authorization", "proxy-connection", "range", "referer", "te",
        "traceparent", "tracestate", "trailer", "transfer-encoding", "upgrade", "user-agent", "via", "x-forwarded-for",
        "x-request-id",
    ]

    private static let ruleless = ConfigurationRule(keys: ["rules"] + authenticatorKeys.dropFirst()) { values in
        guard values.authenticates, values.rules.isEmpty else { return nil }
        return "no caller gets a token, because rules is empty; expected rules"
    }

    private static let idleRules = ConfigurationRule(keys: ["rules"]) { values in
        guard values.callers == .unauthenticated, !values.rules.isEmpty else { return nil }
        return "the rules have no effect, because callers is none; expected no rules, or callers that are authenticated"
    }

    /// A rule of which no kind is served never applies. If none is served at all, that is the error.
    private static let servedRules = ConfigurationRule(
        elements: ["rules", "credentials", "kinds.enabled"] + keyOfEach
    ) { values in
        guard values.authenticates, TokenKind.allCases.contains(where: { values.keyFile(of: $0) != nil }) else {
            return []
        }
        return unserved(values) { kinds, unserved in unserved == kinds }
    }

    /// A rule of which some kind is served.
    private static let unservedKinds = ConfigurationRule(elements: ["rules"]) { values in
        unserved(values) { kinds, unserved in unserved != kinds }
    }

    /// The kinds of rules that are not served, of those rules that `isMeant` chooses by their kinds.
    private static func unserved(
        _ values: Configuration, where isMeant: (_ kinds: Set<TokenKind>, _ unserved: Set<TokenKind>) -> Bool
    ) -> [ConfigurationBreach] {
        values.rules.enumerated().flatMap { index, rule -> [ConfigurationBreach] in
            let unserved = rule.kinds.filter { values.keyFile(of: $0) == nil }
            guard isMeant(rule.kinds, unserved) else { return [] }
            return TokenKind.allCases.filter(unserved.contains).map { kind in
                ConfigurationBreach(
                    what: "the rule \(rule.name) names the kind \(kind.rawValue), which is not served; "
                        + values.absence(of: kind).advice(on: kind),
                    element: values.places.element("rules", index, "kinds"))
            }
        }
    }

    private static let unrecorded = ConfigurationRule(
        keys: ["audit.output"] + authenticatorKeys.dropFirst(), namesKeys: true
    ) { values in
        guard values.authenticates, values.audit.output == .none else { return nil }
        return "no audit log is configured; expected audit.output"
    }

    /// What is wrong with callers that rules name; the breaches are at the rule's `key`.
    private static func breaches(
        _ values: Configuration, _ key: String, _ breach: (AccessRule, Principal.Source) -> String?
    ) -> [ConfigurationBreach] {
        values.rules.enumerated().flatMap { index, rule in
            var sentences: [String] = []
            for caller in rule.callers {
                guard let sentence = breach(rule, caller), !sentences.contains(sentence) else { continue }
                sentences.append(sentence)
            }
            return sentences.map { ConfigurationBreach(what: $0, element: values.places.element("rules", index, key)) }
        }
    }

    /// Elements of a list whose text under `key` an earlier element has too.
    private static func repeated(
        _ key: String, in list: String, _ values: Configuration, sentence: (String, _ place: String) -> String
    ) -> [ConfigurationBreach] {
        var first: [String: ConfigurationElement] = [:]
        return (values.places.texts(of: key, in: list) ?? []).enumerated().compactMap { index, text in
            guard let text else { return nil }
            let element = ConfigurationElement(list: list, index: index, key: key)
            guard let earlier = first[text] else {
                first[text] = element
                return nil
            }
            let line = values.places.origin(of: earlier)?.line
            return ConfigurationBreach(
                what: sentence(quoted(text), line.map { "; it was first given on line \($0)" } ?? ""),
                element: element)
        }
    }

    private static func list(_ issuers: [String]) -> String {
        issuers.isEmpty ? "it in issuers" : "one of \(issuers.map(quoted).joined(separator: ", "))"
    }

    /// The whole text, because issuers often differ in their last characters only.
    private static func quoted(_ text: String) -> String { "\(QuotedText(text, limit: text.unicodeScalars.count))" }
}

extension Configuration {
    /// Whether there are issuers, refused ones included.
    fileprivate var hasIssuers: Bool { !issuers.isEmpty || places.count(of: "issuers") ?? 0 > 0 }
}
