import CallerAccess
import HTTPClient

extension ConfigurationRule {
    /// The binding rules about the back end.
    static let forwardAuthRules = [askedBackEnd, passedHeaders, policyByGET]

    static let idleBackEnd = ConfigurationRule(keys: ["forward_auth.url"]) { values in
        guard values.forwardAuth.url != nil, !values.rules.contains(where: \.asksBackEnd) else { return nil }
        return "no rule has forward_auth: true, so the back end is never asked; expected such a rule"
    }

    private static let askedBackEnd = ConfigurationRule(elements: ["forward_auth.url", "rules"]) { values in
        guard values.forwardAuth.url == nil else { return [] }
        return values.rules.enumerated().compactMap { index, rule in
            guard rule.asksBackEnd else { return nil }
            return ConfigurationBreach(
                what: "the rule \(rule.name) asks a back end, but none is configured; expected forward_auth.url",
                element: values.places.element("rules", index, "forward_auth"))
        }
    }

    private static let policyByGET = ConfigurationRule(keys: ["forward_auth.body", "forward_auth.method"]) { values in
        guard values.forwardAuth.body == .opa, values.forwardAuth.method == .get else { return nil }
        return "Open Policy Agent gets its input by POST; expected forward_auth.method: POST"
    }

    private static let passedHeaders = ConfigurationRule(keys: ["forward_auth.headers"]) { values in
        let names = values.forwardAuth.headers.map { $0.lowercased() }
        let forwarded = values.forwardAuth.method == .get ? BackEndQuestion.forwardedHeaders : []
        if let own = names.first(where: (BackEndQuestion.ownHeaders + forwarded).contains) {
            return "the back end always gets \(own); expected other headers"
        }
        if let repeated = names.enumerated().first(where: { names[..<$0.offset].contains($0.element) }) {
            return "\(repeated.element) is repeated; expected each header once"
        }
        return names.lazy.compactMap(HTTPClientField.reservation).first
    }
}

extension HTTPClientField {
    /// Why a request cannot have a header of this name; nil if it can.
    fileprivate static func reservation(of name: String) -> String? {
        do throws(HTTPClientFieldError) {
            _ = try HTTPClientField(name, "")
            return nil
        } catch {
            return error.sentence
        }
    }
}
