import FleetEngineToken
import HTTPServer

/// Settings that allow more callers, or trust more peers, than is likely to be meant.
extension ConfigurationRule {
    static let openAdvice = [
        openWildcards,
        trustingAll("proxies.trusted", "trusts every peer") { $0.proxies.trusted },
        trustingAll("proxies.proxy_protocol", "expects the PROXY protocol of every peer") { $0.proxies.proxyProtocol },
    ]

    /// An identity provider authenticates every rider.
    private static let openWildcards = ConfigurationRule(elements: ["rules"]) { values in
        guard values.callers == nil else { return [] }
        return values.rules.enumerated().compactMap { index, rule in
            guard rule.isForEveryAuthenticatedCaller else { return nil }
            let open = TokenKind.wildcards.first { rule.kinds.contains($0) && values.keyFile(of: $0) != nil }
            guard let open else { return nil }
            return ConfigurationBreach(
                what:
                    "the rule \(rule.name) gives tokens of the kind \(open.rawValue), which are not limited to ids, to every "
                    + "authenticated caller; expected issuers, api_keys, certificates or claims in the rule",
                element: values.places.element("rules", index))
        }
    }

    /// A trusted proxy names the address of its client.
    private static func trustingAll(
        _ key: String, _ what: String, ranges: @escaping @Sendable (Configuration) -> [AddressRange]
    ) -> ConfigurationRule {
        ConfigurationRule(keys: [key]) { values in
            guard let range = ranges(values).first(where: \.holdsAll) else { return nil }
            return "\(range) \(what), so that clients can choose the address for limits and records; expected only the "
                + "addresses of proxies"
        }
    }
}
