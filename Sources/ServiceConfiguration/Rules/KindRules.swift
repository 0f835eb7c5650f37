import FleetEngineToken

extension ConfigurationRule {
    static let keyOfEach = TokenKind.allCases.flatMap { kind in
        ["kinds.\(kind.rawValue).credentials", "kinds.\(kind.rawValue).key"]
    }

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
        let isUsed = TokenKind.allCases.contains {
            values.kinds.serves($0) && values.kinds[$0].credentials == nil && values.kinds[$0].key == nil
        }
        guard values.credentials != nil, !isUsed else { return nil }
        return "this key signs nothing, because every kind that is served has its own; expected no such key"
    }

    static let unlistedCredentials = TokenKind.allCases.map { kind in
        let section = "kinds.\(kind.rawValue)"
        return ConfigurationRule(keys: ["\(section).credentials", "\(section).key"]) { values in
            let own = values.kinds[kind]
            guard own.credentials != nil || own.key != nil, !values.kinds.serves(kind) else { return nil }
            return "this key signs nothing, because kinds.enabled does not name the kind; expected it there, "
                + "or no such key"
        }
    }

    /// A key in hardware is used alone, and needs what a key file says besides the key.
    static let hardwareKeys = TokenKind.allCases.map { kind in
        let section = "kinds.\(kind.rawValue)"
        return ConfigurationRule(
            keys: ["key", "email", "key_id", "credentials", "sign_as"].map { "\(section).\($0)" } + ["pkcs11.module"],
            namesKeys: true
        ) { values in
            let own = values.kinds[kind]
            guard own.key != nil else {
                guard let idle = own.email.map({ _ in "email" }) ?? own.keyID.map({ _ in "key_id" }) else { return nil }
                return "\(section).\(idle) belongs to a key in hardware; expected \(section).key"
            }
            if let other = own.credentials.map({ _ in "credentials" }) ?? own.signAs.map({ _ in "sign_as" }) {
                return "\(section).key and \(section).\(other) are both set; expected one of them"
            }
            let missing = [("email", own.email), ("key_id", own.keyID)].first { $0.1 == nil }
            if let missing { return "\(section).key is set without \(section).\(missing.0); expected both" }
            guard values.pkcs11.module == nil else { return nil }
            return "\(section).key is set, but not how its token is reached; expected pkcs11.module"
        }
    }
}
