import HTTPServer

/// A rule that values must keep together, each of them being possible alone.
struct ConfigurationRule: Sendable {
    /// The keys it is about, those that are most likely to be wrong first.
    let keys: [String]
    /// What is wrong with the values and what was expected; nil when they keep the rule.
    let breach: @Sendable (ConfigurationValues) -> String?

    /// The rules without which the daemon does not start.
    static let binding: [ConfigurationRule] = [
        callers, listenedOnce, credentials, usableTime, reusableTime, reusedTime, answerKeys, problemNames,
        lineWithinHead,
    ]

    /// The rules whose breach is told and then borne.
    static let advisory: [ConfigurationRule] = [shortLifetime, foreignAudience, openToAll, idleCredentials]
}

extension ConfigurationRule {
    private static let callers = ConfigurationRule(keys: ["listen", "callers"]) { values in
        guard values.callers == nil, let open = values.listen.first(where: { !$0.isLoopback }) else { return nil }
        return
            "\"\(open)\" can be reached from other machines, and token-provider refuses to start there while nothing "
            + "says who may call; expected --callers none (in the file, callers: none), which gives a token to "
            + "everyone who can reach it, or an address of this machine only, as 127.0.0.1, [::1] or unix:PATH"
    }

    private static let listenedOnce = ConfigurationRule(keys: ["listen"]) { values in
        let fixed = values.listen.filter { !$0.takesAnyPort }
        guard let repeated = fixed.enumerated().first(where: { fixed[..<$0.offset].contains($0.element) }) else {
            return nil
        }
        return "\"\(repeated.element)\" is given twice; expected every address once"
    }

    private static let credentials = ConfigurationRule(
        keys: ["credentials", "kinds.consumer.credentials", "kinds.driver.credentials"]
    ) { values in
        let files = [values.credentials, values.kinds.consumer.credentials, values.kinds.driver.credentials]
        guard files.allSatisfy({ $0 == nil }) else { return nil }
        return "no credentials are given; expected a service-account key file by --credentials FILE, by "
            + "GOOGLE_APPLICATION_CREDENTIALS in the environment, or by credentials: FILE in the configuration file"
    }

    private static let usableTime = ConfigurationRule(
        keys: ["token.client_margin", "token.backdate", "token.lifetime"]
    ) { values in
        let token = values.token
        guard token.usableSeconds <= 0 else { return nil }
        return "token.backdate (\(DurationText.text(seconds: token.backdate))) and token.client_margin "
            + "(\(DurationText.text(seconds: token.clientMargin))) leave nothing of token.lifetime "
            + "(\(DurationText.text(seconds: token.lifetime))); expected their sum to be less"
    }

    private static let reusableTime = ConfigurationRule(
        keys: ["cache.reuse_fraction", "token.lifetime", "token.backdate"]
    ) { values in
        let token = values.token
        let left = token.lifetime - token.backdate
        let (demanded, subject) = reuse(values)
        guard token.usableSeconds > 0, demanded > Double(left) else { return nil }
        return "\(subject) is more than the \(DurationText.text(seconds: left)) that token.backdate leaves of a new "
            + "token, so none would ever be reused; expected a smaller fraction or a longer lifetime"
    }

    private static let reusedTime = ConfigurationRule(
        keys: ["cache.reuse_fraction", "token.client_margin", "token.lifetime", "token.backdate"]
    ) { values in
        let token = values.token
        let (demanded, subject) = reuse(values)
        guard token.usableSeconds > 0, demanded < Double(token.clientMargin) else { return nil }
        return "\(subject) is less than token.client_margin (\(DurationText.text(seconds: token.clientMargin))), so "
            + "clients would be given tokens that they are told have ended; expected a larger fraction or a smaller margin"
    }

    /// The seconds of life that a token must have left to be reused, and how a sentence about them begins.
    private static func reuse(_ values: ConfigurationValues) -> (demanded: Double, subject: String) {
        let fraction = values.cache.reuseFraction
        let lifetime = values.token.lifetime
        let subject =
            "cache.reuse_fraction (\(DecimalText.text(fraction))) of token.lifetime (\(DurationText.text(seconds: lifetime)))"
        return (fraction * Double(lifetime), subject)
    }

    private static let answerKeys = ConfigurationRule(
        keys: ["answer.expiration_key", "answer.trip_token_key", "answer.vehicle_token_key"]
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
        guard let taken = names.first(where: ProblemAnswer.members.contains) else { return nil }
        return "\"\(taken)\" is a member of error answers too, and apps that do not look at the status would take an "
            + "error for a token; expected a name of its own"
    }

    private static let idleCredentials = ConfigurationRule(keys: ["credentials"]) { values in
        let kinds = [values.kinds.consumer, values.kinds.driver]
        guard values.credentials != nil, kinds.allSatisfy({ $0.credentials != nil }) else { return nil }
        return "this key signs nothing, since every kind has one of its own"
    }

    private static let lineWithinHead = ConfigurationRule(keys: ["http.max_line", "http.max_head"]) { values in
        guard values.http.maxLine > values.http.maxHead else { return nil }
        return "http.max_line (\(SizeText.text(bytes: values.http.maxLine))) is over http.max_head "
            + "(\(SizeText.text(bytes: values.http.maxHead))); expected a line to fit into the head"
    }

    private static let shortLifetime = ConfigurationRule(keys: ["token.lifetime"]) { values in
        // Google's samples for Android take a token as expired ten minutes before its end.
        guard values.token.lifetime < 660 else { return nil }
        return "\(DurationText.text(seconds: values.token.lifetime)) is short: Google's Android samples subtract 10 "
            + "minutes and would fetch a token for every call; expected 660s or more"
    }

    private static let openToAll = ConfigurationRule(keys: ["callers", "listen"]) { values in
        guard values.callers == .unauthenticated, let open = values.listen.first(where: { !$0.isLoopback }) else {
            return nil
        }
        return "\"none\" gives a token to everyone who can reach \"\(open)\""
    }

    private static let foreignAudience = ConfigurationRule(keys: ["token.audience"]) { values in
        guard values.token.audience != Configuration.Token.fleetEngineAudience else { return nil }
        return "this is not the audience that Fleet Engine expects, "
            + "\"\(Configuration.Token.fleetEngineAudience)\" with its last slash"
    }
}

extension SocketAddress {
    /// Whether the system chooses the port, so that the same address may be given more than once.
    fileprivate var takesAnyPort: Bool {
        switch self {
        case .ipv4(_, let port), .ipv6(_, let port): port == 0
        case .unix: false
        }
    }
}
