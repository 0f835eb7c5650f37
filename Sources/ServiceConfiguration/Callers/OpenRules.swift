import FleetEngineToken
import HTTPServer

/// What lets in more callers, or believes more of them, than is likely to be meant.
extension ConfigurationRule {
    /// What of it is told.
    static let openAdvice = [
        openWildcards,
        trustingAll("proxies.trusted", "trusts everybody") { $0.proxies.trusted },
        trustingAll("proxies.proxy_protocol", "believes everybody") { $0.proxies.proxyProtocol },
    ]

    /// To an identity provider every rider is known.
    private static let openWildcards = ConfigurationRule(keys: ["rules"]) { values in
        guard values.callers == nil else { return nil }
        for rule in values.rules where rule.isForEveryAuthenticatedCaller {
            let open = TokenKind.wildcards.first { rule.kinds.contains($0) && values.keyFile(of: $0) != nil }
            guard let open else { continue }
            return "the rule \(rule.name) gives tokens of the kind \(open.rawValue), which open everything, to every "
                + "caller who is known; expected it to name issuers, api_keys, certificates or claims"
        }
        return nil
    }

    /// Who is a proxy is taken at its word.
    private static func trustingAll(
        _ key: String, _ what: String, ranges: @escaping @Sendable (ConfigurationValues) -> [AddressRange]
    ) -> ConfigurationRule {
        ConfigurationRule(keys: [key]) { values in
            guard let range = ranges(values).first(where: \.holdsAll) else { return nil }
            return "\(range) \(what), who can then choose the address that limits and records see; expected the "
                + "proxies' own ranges"
        }
    }
}
