import CallerAccess
import HTTPClient

extension SettingsTable {
    /// Who else decides what a caller may have.
    package static let forwardAuth: [any ConfigurationSetting] = [
        Setting(
            "forward_auth.url", \.forwardAuth.url,
            .optional(.outgoingURL, example: "https://backend.example.com/token-allowed"),
            "Where the company's back end is asked about what a rule with forward_auth leaves to it. It gets a POST "
                + "with the caller's Authorization and a JSON object of kind, ids and, if one is proved, principal. 2xx allows, "
                + "and may say principal and lifetime (seconds from now) in a JSON object; 401 and 403 refuse; anything else "
                + "is an outage, and nobody gets a token by it."),
        Setting(
            "forward_auth.fields", \.forwardAuth.fields, .list(of: .fieldName, allowsNone: true),
            "Fields of the caller's request that the back end gets besides Authorization, as Cookie."),
        Setting(
            "forward_auth.timeout", \.forwardAuth.timeout, .one(.milliseconds(10...60_000)),
            "How long a decision may take, from the request to the last byte."),
        Setting(
            "forward_auth.max_connections", \.forwardAuth.maxConnections, .one(.whole(1...256)),
            "Questions that are under way at once, each on a connection of its own."),
        Setting(
            "forward_auth.max_waiting", \.forwardAuth.maxWaiting, .one(.whole(1...65_536)),
            "Requests that may wait for a decision beyond those; one more is answered 503."),
        Setting(
            "forward_auth.cache_time", \.forwardAuth.cacheTime, .one(.milliseconds(0...3_600_000)),
            "How long a decision counts for requests that would ask the same, and at most 5s if it is a refusal, or half of "
                + "the lifetime that it gives, from whose end no token is later; 0s: every request is asked about."),
        Setting(
            "forward_auth.cache_bytes", \.forwardAuth.cacheBytes, .one(.size(1 << 20...1 << 30)),
            "Memory for kept decisions."),
    ]
}

extension ScalarForm where Value == OutgoingURL {
    /// A URL that is asked; what is wrong with one is told without it, since its query may be a secret.
    static var outgoingURL: Self {
        ScalarForm(
            expectation: OutgoingURL.expectation,
            read: { (text) throws(ValueProblem) in
                do throws(OutgoingURLError) {
                    return try OutgoingURL(text.text)
                } catch {
                    throw ValueProblem(error.problem, hidingText: true)
                }
            },
            write: { $0.text })
    }
}

extension ConfigurationRule {
    /// Without these a rule would ask nobody, or not what it means.
    static let forwardAuthRules = [askedBackEnd, passedFields]

    static let idleBackEnd = ConfigurationRule(keys: ["forward_auth.url"]) { values in
        guard values.forwardAuth.url != nil, !values.rules.contains(where: \.asksBackEnd) else { return nil }
        return "no rule has forward_auth: true, so the back end is never asked"
    }

    private static let askedBackEnd = ConfigurationRule(keys: ["forward_auth.url", "rules"]) { values in
        guard values.forwardAuth.url == nil, let rule = values.rules.first(where: \.asksBackEnd) else { return nil }
        return "the rule \(rule.name) asks a back end, and none is named; expected forward_auth.url"
    }

    private static let passedFields = ConfigurationRule(keys: ["forward_auth.fields"]) { values in
        let names = values.forwardAuth.fields.map { $0.lowercased() }
        if let own = names.first(where: BackEndQuestion.ownHeaders.contains) {
            return "the back end gets \(own) in any case; expected the names of other fields"
        }
        if let repeated = names.enumerated().first(where: { names[..<$0.offset].contains($0.element) }) {
            return "\(repeated.element) is given twice; expected each field once"
        }
        return names.lazy.compactMap(HTTPClientField.reservation).first
    }
}

extension HTTPClientField {
    /// Why no request can have a field of this name; nil if it can.
    fileprivate static func reservation(of name: String) -> String? {
        do throws(HTTPClientFieldError) {
            try HTTPClientRequest.check([try HTTPClientField(name, "")])
            return nil
        } catch {
            return error.sentence
        }
    }
}
