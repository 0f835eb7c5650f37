/// A rule that values must keep together, each of them being possible alone.
package struct ConfigurationRule: Sendable {
    /// The keys it is about, those that are most likely to be wrong first.
    package let keys: [String]
    /// Whether the sentence names its keys, so that what stands before it need not.
    var namesKeys = false
    /// What is wrong with the values and what was expected; nil when they keep the rule.
    package let breach: @Sendable (ConfigurationValues) -> String?

    /// The rules without which the daemon does not start.
    package static let binding: [ConfigurationRule] = [someCallers] + ofKeys

    /// Those of them that count for whoever only uses the keys.
    package static let ofKeys: [ConfigurationRule] =
        [
            credentials, listedKinds, answerKeys, problemNames, lineWithinHead, auditFile,
        ] + listenerRules + tlsRules + callerRules + tokenTimes

    /// The rules whose breach is told and then borne.
    static let advisory: [ConfigurationRule] =
        listenerAdvice + [unnamedProxy, idleCredentials] + tlsAdvice + callerAdvice + openAdvice + unlistedCredentials
        + tokenAdvice
}

extension ConfigurationRule {
    private static let answerKeys = ConfigurationRule(
        keys: ["answer.expiration_key", "answer.trip_token_key", "answer.vehicle_token_key"], namesKeys: true
    ) { values in
        let answer = values.answer
        guard [answer.tripTokenKey, answer.vehicleTokenKey].contains(answer.expirationKey) else { return nil }
        return "answer.expiration_key is the name of a token too; expected a name of its own"
    }

    private static let problemNames = ConfigurationRule(
        keys: ["answer.trip_token_key", "answer.vehicle_token_key", "answer.expiration_key"]
    ) { values in
        let answer = values.answer
        let names = [answer.tripTokenKey, answer.vehicleTokenKey, answer.expirationKey]
        guard let taken = names.first(where: Configuration.Answer.problemMembers.contains) else { return nil }
        return "\"\(taken)\" is a member of error answers too, and apps that do not look at the status would take an "
            + "error for a token; expected a name of its own"
    }

    private static let lineWithinHead = ConfigurationRule(
        keys: ["http.max_line", "http.max_head"], namesKeys: true
    ) { values in
        guard values.http.maxLine > values.http.maxHead else { return nil }
        return "http.max_line (\(SizeText.text(bytes: values.http.maxLine))) is over http.max_head "
            + "(\(SizeText.text(bytes: values.http.maxHead))); expected a line to fit into the head"
    }
}
