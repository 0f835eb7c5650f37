import SystemFiles

/// A rule that values must keep together, each of them being possible alone.
package struct ConfigurationRule: Sendable {
    /// The keys it is about, those that are most likely to be wrong first.
    package let keys: [String]
    /// Whether the sentence names its keys, so that no key is put before it.
    var namesKeys = false
    /// Whether it judges each element of a list by itself, so that elements with errors of their own do not matter.
    private(set) var judgesElements = false
    /// Everything in the values that breaks the rule.
    package let breaches: @Sendable (Configuration) -> [ConfigurationBreach]

    /// A rule that is broken as a whole: `breach` says what is wrong and what was expected, or nil.
    package init(
        keys: [String], namesKeys: Bool = false, breach: @escaping @Sendable (Configuration) -> String?
    ) {
        (self.keys, self.namesKeys) = (keys, namesKeys)
        breaches = { values in breach(values).map { [ConfigurationBreach(what: $0)] } ?? [] }
    }

    /// A rule that each element of a list can break.
    init(elements keys: [String], breaches: @escaping @Sendable (Configuration) -> [ConfigurationBreach]) {
        (self.keys, self.breaches) = (keys, breaches)
        judgesElements = true
    }

    /// The rules without which the daemon does not start.
    package static let binding: [ConfigurationRule] = [someCallers] + ofKeys

    /// Those of them that matter for commands that only use the keys.
    package static let ofKeys: [ConfigurationRule] =
        [
            listedKinds, answerKeys, problemNames, lineWithinHeaders, auditFile, checkpoints,
        ] + hardwareKeys + listenerRules + tlsRules + callerRules + tokenTimes

    /// The rules whose breach is only a warning.
    static let advisory: [ConfigurationRule] =
        listenerAdvice + [unnamedProxy, idleCredentials] + tlsAdvice + callerAdvice + openAdvice + unlistedCredentials
        + tokenAdvice
}

/// One way in which values break a rule.
package struct ConfigurationBreach: Sendable {
    /// What is wrong and what was expected.
    let what: String
    /// The element of a list that breaks the rule; nil if the rule is broken as a whole.
    var element: ConfigurationElement?
}

extension ConfigurationRule {
    private static let answerKeys = ConfigurationRule(
        keys: ["answer.expiration_key", "answer.trip_token_key", "answer.vehicle_token_key"], namesKeys: true
    ) { values in
        let answer = values.answer
        guard [answer.tripTokenKey, answer.vehicleTokenKey].contains(answer.expirationKey) else { return nil }
        return "answer.expiration_key is also the name of a token; expected a name of its own"
    }

    private static let problemNames = ConfigurationRule(
        keys: ["answer.trip_token_key", "answer.vehicle_token_key", "answer.expiration_key"]
    ) { values in
        let answer = values.answer
        let names = [answer.tripTokenKey, answer.vehicleTokenKey, answer.expirationKey]
        guard let taken = names.first(where: Configuration.Answer.problemMembers.contains) else { return nil }
        return "\"\(taken)\" is also a member of error answers: apps that ignore the status would take an error for a "
            + "token; expected a name of its own"
    }

    private static let lineWithinHeaders = ConfigurationRule(
        keys: ["http.max_line", "http.max_header_size"], namesKeys: true
    ) { values in
        let limits = values.http.limits
        guard limits.maxLine > limits.maxHead else { return nil }
        return "http.max_line (\(SizeText.text(bytes: limits.maxLine))) is over http.max_header_size "
            + "(\(SizeText.text(bytes: limits.maxHead))); expected at most that"
    }

    /// Checkpoints of an audit log must not be where its writer could change them.
    private static let checkpoints = ConfigurationRule(keys: ["audit.checkpoints"]) { values in
        guard let checkpoints = values.audit.checkpoints else { return nil }
        if values.audit.output == .none { return "there is no audit log; expected audit.output, or no checkpoints" }
        guard case .file(let path) = checkpoints, let file = values.audit.file,
            RealPath.leadToSame(path, file)
        else { return nil }
        return "is the audit log's own file; expected another one"
    }

    /// Output and file of the audit log must agree.
    private static let auditFile = ConfigurationRule(keys: ["audit.file", "audit.output"]) { values in
        switch (values.audit.output, values.audit.file) {
        case (.file, nil): "audit.output is file, but no file is named; expected audit.file"
        case (.file, _), (_, nil): nil
        case (let output, _):
            "audit.file is set, but audit.output is \(output.rawValue); expected audit.output: file, or no audit.file"
        }
    }
}
