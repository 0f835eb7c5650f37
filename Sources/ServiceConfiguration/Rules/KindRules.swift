import FleetEngineToken

extension ConfigurationRule {
    static let keyOfEach = TokenKind.allCases.map { "kinds.\($0.rawValue).credentials" }

    static let listedKinds = ConfigurationRule(keys: ["kinds.enabled", "credentials"] + keyOfEach) { values in
        let enabled = values.kinds.enabled ?? []
        if let repeated = enabled.enumerated().first(where: { enabled[..<$0.offset].contains($0.element) })?.element {
            return "\"\(repeated.rawValue)\" is repeated; expected each kind once"
        }
        guard let keyless = enabled.first(where: { values.namedKeyFile(of: $0) == nil }) else { return nil }
        return
            "\"\(keyless.rawValue)\" has no key; expected kinds.\(keyless.rawValue).credentials, or credentials for all kinds"
    }

    static let idleCredentials = ConfigurationRule(keys: ["credentials"]) { values in
        let isUsed = TokenKind.allCases.contains { values.kinds.serves($0) && values.kinds[$0].credentials == nil }
        guard values.credentials != nil, !isUsed else { return nil }
        return "this key signs nothing, because every kind that is served has its own; expected no such key"
    }

    static let unlistedCredentials = TokenKind.allCases.map { kind in
        ConfigurationRule(keys: ["kinds.\(kind.rawValue).credentials"]) { values in
            guard values.kinds[kind].credentials != nil, !values.kinds.serves(kind) else { return nil }
            return "this key signs nothing, because kinds.enabled does not name the kind; expected it there, "
                + "or no such key"
        }
    }
}
